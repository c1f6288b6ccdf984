import { describeSecondFactor } from "#server/auth/second-factor/second-factor-acts";
import type { Context } from "#server/context";
import { UnknownUser } from "#server/failures";
import { type AccountSearch, type PageOf, readNumberedPage } from "../contract";
import { type AccountFilter, findAccount, isName, type ListedAccount, listAccounts } from "./store";

/** A page of accounts; newest first, or by name where names were searched. */
export interface FoundAccounts extends PageOf<ListedAccount> {
  readonly byName: boolean;
}

/** Accounts that fit the search. */
export async function searchAccounts(ctx: Context, { page, search, state }: AccountSearch): Promise<FoundAccounts> {
  const who = filterOf(search);
  const found = await readNumberedPage(page, (window) =>
    listAccounts(ctx.database.query, { who, state, ...window }, ctx.now()),
  );
  return { ...found, byName: isName(who) };
}

/** A number is the player's, anything else is how a name begins. */
function filterOf(search: string | undefined): AccountFilter {
  if (!search) return "anybody";
  return /^\d{1,9}$/.test(search) ? { playerId: Number(search) } : { nameStart: search };
}

/** An account, what guards it besides its keys, and whether it is an admin's, which cannot be banned. @throws UnknownUser */
export async function showAccount(
  ctx: Context,
  accountId: string,
): Promise<ListedAccount & { readonly admin: boolean; readonly secondFactor: boolean; readonly passkeys: number }> {
  const account = await findAccount(ctx.database.query, accountId, ctx.now());
  if (!account) throw UnknownUser.because({ message: "There is no such account." });
  const guards = await describeSecondFactor(ctx.database.query, accountId);
  return { ...account, ...guards, admin: ctx.settings.adminUserIds.includes(account.playerId) };
}
