import type { PortalUser } from "#server/actor";
import type { Context } from "#server/context";
import { dayMs, minuteMs, weekMs } from "#server/platform/durations";
import { readMembership } from "../positions/read-membership";
import { countMembers, listMembersAsSeen } from "./store";

/** Where a member can be, as the game names it, in the order of how soon they can act. */
export const memberStates = ["Okay", "Abroad", "Traveling", "Hospital", "Jail", "Federal"] as const;

/** How long ago a member last did something. */
export const memberActivities = ["now", "day", "week", "idle"] as const;

/** Somebody who acted within so long is at the game now. */
const presentMs = 15 * minuteMs;

/** A filter as somebody wrote it. A word that is not known filters nothing. */
export interface MemberFilter {
  readonly state?: string | undefined;
  readonly active?: string | undefined;
  /** A part of the name. */
  readonly name?: string | undefined;
}

/** The members of the user's own faction who fit the filter; null for a player without a faction. */
export async function showMembers(ctx: Context, { playerId }: PortalUser, filter: MemberFilter) {
  const on = ctx.database.query;
  const { factionId } = await readMembership(ctx.database, playerId);
  if (factionId === null) return null;
  const active = memberActivities.find((activity) => activity === filter.active);
  const ago = (ms: number) => new Date(ctx.now().getTime() - ms);
  const activeFor = { now: presentMs, day: dayMs, week: weekMs };
  const [members, counted] = await Promise.all([
    listMembersAsSeen(on, {
      factionId,
      state: memberStates.find((state) => state === filter.state),
      activeSince: active && active !== "idle" ? ago(activeFor[active]) : undefined,
      inactiveSince: active === "idle" ? ago(weekMs) : undefined,
      name: filter.name,
    }),
    countMembers(on, factionId),
  ]);
  return { members, of: counted.members, listedAt: counted.listedAt };
}
