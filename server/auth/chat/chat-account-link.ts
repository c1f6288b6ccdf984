import type { AccountActor, PortalUser } from "#server/actor";
import type { Context } from "#server/context";
import { withdrawChatNotices } from "#server/notices/notices";
import { signInRefused } from "../sign-in-refused";
import { lockAccount } from "../store";
import {
  deleteChatAccountLink,
  findChatAccountLink,
  findChatOwner,
  insertChatAccountLink,
} from "./store";

export async function showChatAccount(ctx: Context, user: PortalUser) {
  const found = await findChatAccountLink(ctx.database.query, user.accountId);
  // The id has more digits than a number holds.
  const link = found ? { ...found, chatId: String(found.chatId) } : null;
  return { offered: ctx.settings.chatSignIn !== undefined, link };
}

/**
 * The owner must have proved both.
 * @throws SignInRefused "chat-taken" if it is linked elsewhere, "chat-other" if another one is
 * linked here
 */
export async function linkChatAccount(
  ctx: Context,
  by: AccountActor,
  { chatId }: { readonly chatId: bigint },
): Promise<void> {
  const { accountId } = by;
  await ctx.database.transaction(async (tx) => {
    if (!(await insertChatAccountLink(tx, { chatId, accountId, linkedAt: ctx.now() }))) {
      if ((await findChatAccountLink(tx, accountId))?.chatId === chatId) return;
      throw signInRefused((await findChatOwner(tx, chatId)) ? "chat-taken" : "chat-other");
    }
    const details = { chat: String(chatId) };
    await ctx.audit(tx, by, "chat_account.linked", { details });
    await ctx.notify(tx, {
      accountId,
      kind: "chat-linked",
      text: "A chat account was linked and can sign in here now. If that was not you, unlink it and end all other sessions.",
    });
  });
}

/** Idempotent. */
export async function unlinkChatAccount(ctx: Context, by: PortalUser): Promise<void> {
  const { accountId } = by;
  await ctx.database.transaction(async (tx) => {
    await lockAccount(tx, accountId);
    if (!(await findChatAccountLink(tx, accountId))) return;
    await withdrawChatNotices(tx, accountId);
    // Before the deletion: the chat account gets it, too.
    await ctx.notify(tx, {
      accountId,
      kind: "chat-unlinked",
      text: "The chat account was unlinked and can no longer sign in here.",
    });
    const chatId = await deleteChatAccountLink(tx, accountId);
    await ctx.audit(tx, by, "chat_account.unlinked", { details: { chat: String(chatId) } });
  });
}
