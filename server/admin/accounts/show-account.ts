import type { Context } from "#server/context";
import { UnknownUser } from "#server/failures";
import { findAccount, type ListedAccount } from "./store";

/** An account, and whether it is an admin's, which cannot be banned. @throws UnknownUser */
export async function showAccount(
  ctx: Context,
  accountId: string,
): Promise<ListedAccount & { readonly admin: boolean }> {
  const account = await findAccount(ctx.database.query, accountId, ctx.now());
  if (!account) throw UnknownUser.because({ message: "There is no such account." });
  return { ...account, admin: ctx.settings.adminUserIds.includes(account.playerId) };
}
