import type { Context } from "#server/context";
import type { ApplicationSearch } from "../contract";
import { type PageOf, pageOf } from "../page-of";
import { type ListedApplication, listApplications } from "./store";

/** Registered applications that fit the search, newest first. */
export const searchApplications = (
  ctx: Context,
  { page, ...wish }: ApplicationSearch,
): Promise<PageOf<ListedApplication>> =>
  pageOf(page, (window) => listApplications(ctx.database.query, { ...wish, ...window }, ctx.now()));
