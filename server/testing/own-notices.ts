import type { PortalUser } from "#server/actor";
import type { Context } from "#server/context";
import { showNotices } from "#server/notices/notices";

/** Leaves out notices of the player's own acts, which are stored as read. */
export const listOwnNotices = async (ctx: Context, user: PortalUser) =>
  (await showNotices(ctx, user, { after: null })).rows.filter(
    ({ createdAt, readAt }) => readAt?.getTime() !== createdAt.getTime(),
  );
