import type { PortalUser } from "#server/actor";
import type { Origin } from "#server/audit/audit";
import type { Context } from "#server/context";
import { deleteSessionsExcept } from "./store";

/**
 * Signs the user out everywhere but here.
 * @returns how many sessions ended
 */
export async function endOtherSessions(ctx: Context, user: PortalUser, origin: Origin): Promise<number> {
  return ctx.database.transaction(async (tx) => {
    const ended = await deleteSessionsExcept(tx, user.accountId, user.sessionHash);
    if (ended === 0) return 0;
    await ctx.audit(tx, {
      act: "sessions-ended",
      actor: `account:${user.accountId}`,
      accountId: user.accountId,
      origin,
      details: { ended },
    });
    return ended;
  });
}
