import type { Context } from "#server/context";
import type { AccountSearch } from "../contract";
import { type PageOf, pageOf } from "../page-of";
import { type ListedAccount, listAccounts } from "./store";

/** Accounts that fit the search, newest first. */
export const searchAccounts = (ctx: Context, { page, ...wish }: AccountSearch): Promise<PageOf<ListedAccount>> =>
  pageOf(page, (window) => listAccounts(ctx.database.query, { ...wish, ...window }, ctx.now()));
