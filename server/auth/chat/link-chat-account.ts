import type { Origin } from "#server/audit/audit";
import type { Context } from "#server/context";
import { signInRefused } from "../sign-in-refused";
import { findChatLink, findChatOwner, insertChatLink } from "./store";

/**
 * Lets a chat account sign in to an account. The account's owner must have proved to be both.
 * @throws SignInRefused "chat-taken" for one that is linked elsewhere, "chat-other" where another one is linked here
 */
export async function linkChatAccount(
  ctx: Context,
  { accountId, chatId, origin }: { accountId: string; chatId: bigint; origin: Origin },
): Promise<void> {
  await ctx.database.transaction(async (tx) => {
    if (!(await insertChatLink(tx, { chatId, accountId, linkedAt: ctx.now() }))) {
      if ((await findChatLink(tx, accountId))?.chatId === chatId) return;
      throw signInRefused((await findChatOwner(tx, chatId)) ? "chat-taken" : "chat-other");
    }
    const details = { chat: String(chatId) };
    await ctx.audit(tx, { act: "chat-linked", actor: `account:${accountId}`, accountId, origin, details });
    await ctx.notify(tx, accountId, {
      kind: "chat-linked",
      text: "A chat account was linked and can sign in here now. If that was not you, unlink it and end all other sign-ins.",
    });
  });
}
