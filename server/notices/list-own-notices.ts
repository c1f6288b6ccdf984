import type { PortalUser } from "#server/actor";
import type { Context } from "#server/context";
import { listNotices, type Notice } from "./store";

/** More is not shown; older ones have had their time. */
const mostShown = 50;

/** The user's newest notices, newest first. */
export const listOwnNotices = (ctx: Context, user: PortalUser): Promise<Notice[]> =>
  listNotices(ctx.database.query, user.accountId, mostShown);
