import type { PortalUser } from "#server/actor";
import type { Origin } from "#server/audit/audit";
import type { Context } from "#server/context";
import { deleteChatLink } from "./store";

/**
 * Takes the right to sign in from the user's chat account. The game key stays as the way in. Without a link nothing happens:
 * what was asked for holds.
 */
export async function unlinkChatAccount(ctx: Context, user: PortalUser, origin: Origin): Promise<void> {
  const { accountId } = user;
  await ctx.database.transaction(async (tx) => {
    const chatId = await deleteChatLink(tx, accountId);
    if (chatId === undefined) return;
    const details = { chat: String(chatId) };
    await ctx.audit(tx, { act: "chat-unlinked", actor: `account:${accountId}`, accountId, origin, details });
    await ctx.notify(tx, accountId, {
      kind: "chat-unlinked",
      text: "The chat account was unlinked and cannot sign in here any more.",
    });
  });
}
