import type { PortalUser } from "#server/actor";
import type { Origin } from "#server/audit/audit";
import type { Context } from "#server/context";
import { deleteSessionNamed } from "./store";

/**
 * Ends one of the user's own sessions, named as `listSessions` names it. One that is already over, or another account's, is
 * left alone without a word: what was asked for holds.
 * @returns how many ended, 0 or 1
 */
export async function endSession(
  ctx: Context,
  user: PortalUser,
  { sessionId, origin }: { sessionId: string; origin: Origin },
): Promise<number> {
  return ctx.database.transaction(async (tx) => {
    const ended = await deleteSessionNamed(tx, user.accountId, sessionId);
    if (ended === 0) return 0;
    const details = { ended, session: sessionId };
    await ctx.audit(tx, {
      act: "sessions-ended",
      actor: `account:${user.accountId}`,
      accountId: user.accountId,
      origin,
      details,
    });
    return ended;
  });
}
