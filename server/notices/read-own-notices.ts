import type { PortalUser } from "#server/actor";
import type { Context } from "#server/context";
import { markNoticesRead } from "./store";

/** Marks all of the user's notices as read. */
export const readOwnNotices = (ctx: Context, user: PortalUser): Promise<void> =>
  markNoticesRead(ctx.database.query, user.accountId, ctx.now());
