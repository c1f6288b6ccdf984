import { hasSecondFactor } from "#server/auth/second-factor/has-second-factor";
import type { Context } from "#server/context";
import { UnknownUser } from "#server/failures";
import { findAccount, type ListedAccount } from "./store";

/** An account, whether a second factor guards it, and whether it is an admin's, which cannot be banned. @throws UnknownUser */
export async function showAccount(
  ctx: Context,
  accountId: string,
): Promise<ListedAccount & { readonly admin: boolean; readonly secondFactor: boolean }> {
  const account = await findAccount(ctx.database.query, accountId, ctx.now());
  if (!account) throw UnknownUser.because({ message: "There is no such account." });
  const secondFactor = await hasSecondFactor(ctx.database.query, accountId);
  return { ...account, secondFactor, admin: ctx.settings.adminUserIds.includes(account.playerId) };
}
