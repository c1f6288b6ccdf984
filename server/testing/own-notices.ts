import type { PortalUser } from "#server/actor";
import type { Context } from "#server/context";
import { showNotices } from "#server/notices/notices";

/** Of the newest fifty, without those of the player's own acts, which are read from the start. */
export const listOwnNotices = async (ctx: Context, user: PortalUser) =>
  (await showNotices(ctx, user, { after: null })).rows.filter(
    ({ createdAt, readAt }) => readAt?.getTime() !== createdAt.getTime(),
  );
