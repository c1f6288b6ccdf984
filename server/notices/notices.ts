import type { Queryable } from "#db/client";
import type { PortalUser } from "#server/actor";
import type { Context } from "#server/context";
import { countUnread, hasNotice, listNotices, markNoticesRead, type Notice } from "./store";

/** More is not shown; older ones have had their time. */
const mostShown = 50;

/** The user's newest notices, newest first. */
export const listOwnNotices = (ctx: Context, user: PortalUser): Promise<Notice[]> =>
  listNotices(ctx.database.query, user.accountId, mostShown);

/** How many notices the user has not read. */
export const countOwnUnread = (ctx: Context, user: PortalUser): Promise<number> =>
  countUnread(ctx.database, user.accountId);

/** Marks all of the user's notices as read. */
export const markOwnNoticesRead = (ctx: Context, user: PortalUser): Promise<void> =>
  markNoticesRead(ctx.database.query, user.accountId, ctx.now());

/** Whether the account was told of this since then: a notice of the kind about the page, whatever its query. */
export const wasNotified = (
  on: Queryable,
  of: {
    readonly accountId: string;
    readonly kind: string;
    readonly page: string;
    readonly since: Date;
  },
): Promise<boolean> => hasNotice(on, of);
