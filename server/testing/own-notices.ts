import type { PortalUser } from "#server/actor";
import type { Context } from "#server/context";
import { showNotices } from "#server/notices/notices";

/** The newest fifty. */
export const listOwnNotices = async (ctx: Context, user: PortalUser) =>
  (await showNotices(ctx, user, { after: null })).rows;
