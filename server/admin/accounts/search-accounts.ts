import type { Context } from "#server/context";
import type { AccountSearch } from "../contract";
import { type PageOf, pageOf } from "../page-of";
import { type AccountWish, isName, type ListedAccount, listAccounts } from "./store";

/** A page of accounts; newest first, or by name where names were searched. */
export interface FoundAccounts extends PageOf<ListedAccount> {
  readonly byName: boolean;
}

/** Accounts that fit the search. */
export async function searchAccounts(ctx: Context, { page, search, state }: AccountSearch): Promise<FoundAccounts> {
  const who = wishOf(search);
  const found = await pageOf(page, (window) => listAccounts(ctx.database.query, { who, state, ...window }, ctx.now()));
  return { ...found, byName: isName(who) };
}

/** A number is the player's, anything else is how a name begins. */
function wishOf(search: string | undefined): AccountWish {
  if (!search) return "anybody";
  return /^\d{1,9}$/.test(search) ? { playerId: Number(search) } : { nameStart: search };
}
