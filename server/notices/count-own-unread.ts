import type { PortalUser } from "#server/actor";
import type { Context } from "#server/context";
import { countUnread } from "./store";

/** How many notices the user has not read. */
export const countOwnUnread = (ctx: Context, user: PortalUser): Promise<number> =>
  countUnread(ctx.database.query, user.accountId);
