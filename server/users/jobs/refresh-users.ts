import type { Context } from "#server/context";
import { callsLeft } from "#server/game/budget";
import { isGameError } from "#server/game/game-error";
import { isOutage } from "#server/game/outage";
import type { Job } from "#server/jobs/job";
import { pickKey } from "../keys/pick-key";
import { refreshPlayer } from "../refresh-player";
import { type DuePlayer, listDuePlayers } from "../store";

/** Own faction, position and access hang on it. */
const ownersAfterSeconds = 3_600;
/** Of the others only the chat id is not told by the members list, which is read far more often. */
const membersAfterSeconds = 12 * 3_600;

/** Keeps players fresh: key owners first, then members of factions with a key, the longest untried first. */
export const refreshUsers: Job = {
  name: "refresh-users",
  cadence: { everySeconds: 60 },
  budget: 60,
  run: async (ctx, { budget, signal }) => {
    const now = ctx.now().getTime();
    const due = await listDuePlayers(ctx.database.query, {
      ownersBefore: new Date(now - ownersAfterSeconds * 1_000),
      membersBefore: new Date(now - membersAfterSeconds * 1_000),
      limit: budget,
    });
    const counts = { refreshed: 0, failed: 0, skipped: 0 };
    let left = budget;
    for (const player of due) {
      const calls = player.ownsKey ? 2 : 1;
      if (signal.aborted || left < calls) break;
      const outcome = await refresh(ctx, player, calls);
      counts[outcome]++;
      if (outcome !== "skipped") left -= calls;
    }
    return counts;
  },
};

async function refresh(ctx: Context, player: DuePlayer, calls: number): Promise<"refreshed" | "failed" | "skipped"> {
  const { playerId, factionId } = player;
  const own = player.ownsKey ? await pickKey(ctx, { of: "player", playerId }) : null;
  const key = own ?? (factionId === null ? null : await pickKey(ctx, { of: "members", factionId }));
  if (!key || (await callsLeft(ctx.limiter, key.playerId, "background")) < calls) return "skipped";
  try {
    await refreshPlayer(ctx, { playerId, key, priority: "background" });
    return "refreshed";
  } catch (error) {
    if (!isGameError(error) || isOutage(error.kind)) throw error;
    ctx.log.warn({ playerId, kind: error.kind }, "a player could not be refreshed");
    return "failed";
  }
}
