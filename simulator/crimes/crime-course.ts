import { minuteSeconds } from "#server/platform/durations";
import { toUnixSeconds } from "#server/platform/time";
import type { World } from "#simulator/world";
import type { CrimePlan } from "./crime-plan";

export type CrimeStatus = "Recruiting" | "Planning" | "Successful" | "Failure" | "Expired";

/** How far a crime has come at a moment. Times are Unix seconds. */
export interface CrimeCourse {
  readonly status: CrimeStatus;
  readonly planningAt: number | null;
  readonly readyAt: number | null;
  readonly executedAt: number | null;
  /** Of each slot, whether somebody is in it. */
  readonly filled: readonly boolean[];
}

/**
 * The first whole minute after readiness, up to `until`, at which every participant is Okay, or null. This search is the game's rule
 * itself: a ready crime looks once a minute whether all are in town.
 */
function executionOf(plan: CrimePlan, until: number, world: World): number | null {
  const people = plan.slots.flatMap(({ index }) => (index === null ? [] : [world.playerAt(index)]));
  let absent = people[0];
  for (let at = plan.startsAt; at <= until; at += minuteSeconds) {
    const then = new Date(at * 1000);
    const away = (player: (typeof people)[number]) => world.status(player, then).state !== "Okay";
    // A player who was away a minute ago is most likely away still.
    if (absent && away(absent)) continue;
    absent = people.find(away);
    if (!absent) return at;
  }
  return null;
}

/** Where the crime stands at `now`. `succeeds` is asked only of a crime that was executed. */
export function courseOf(
  plan: CrimePlan,
  asked: { readonly now: Date; readonly world: World; readonly succeeds: (plan: CrimePlan) => boolean },
): CrimeCourse {
  const { world } = asked;
  const now = toUnixSeconds(asked.now);
  const leaves = plan.slots.map(({ index, joinedAt, pastDepartures }) =>
    index === null ? 0 : Math.floor(world.departureAfter(index, joinedAt * 1000, pastDepartures) / 1000),
  );
  const lastJoin = Math.max(...plan.slots.map(({ joinedAt }) => joinedAt));
  const complete = plan.slots.every(({ index }) => index !== null) && now >= lastJoin;
  const firstLeave = Math.min(...leaves);
  const wasComplete = complete && firstLeave > lastJoin;
  const executedAt = wasComplete ? executionOf(plan, Math.min(now, plan.endsAt, firstLeave - 1), world) : null;
  // A player who leaves after the crime's end was still in it.
  const seen = executedAt ?? Math.min(now, wasComplete ? plan.endsAt : plan.expiresAt);
  const filled = plan.slots.map(
    ({ index, joinedAt }, slot) => index !== null && joinedAt <= now && (leaves[slot] ?? 0) > seen,
  );
  const joins = plan.slots.filter((_, slot) => filled[slot]).map(({ joinedAt }) => joinedAt);
  const full = filled.every(Boolean);
  const over = full ? now >= plan.endsAt : now >= plan.expiresAt;
  const waiting = over ? "Expired" : full ? "Planning" : "Recruiting";
  return {
    status: executedAt === null ? waiting : asked.succeeds(plan) ? "Successful" : "Failure",
    planningAt: full ? lastJoin : null,
    readyAt: joins.length === 0 ? null : Math.max(...joins) + plan.planning,
    executedAt,
    filled,
  };
}
