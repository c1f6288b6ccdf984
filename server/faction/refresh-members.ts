import type { Context } from "#server/context";
import type { FactionMember } from "#server/game/contract/faction";
import type { Rows } from "#server/game/contract/rows";
import { gameCallError } from "#server/game/game-call-error";
import { secondMs } from "#server/platform/time";
import { callGame } from "#server/users/keys/call-game";
import { placeMembers } from "#server/users/membership/membership";
import type { MemberListing, SeenMember } from "#server/users/membership/store";
import { federalUntil } from "#server/users/player";
import { saveListedFaction, wasListed } from "./store";
import { type SyncCredentials, syncSchedules } from "./sync-schedules";
import { noteSync } from "./sync-store";

/** Whether the members were never listed, or too long ago. */
export const listingIsStale = (listed: Date | null, now: Date): boolean =>
  listed === null ||
  now.getTime() - listed.getTime() >= syncSchedules.members.everySeconds * secondMs;

/**
 * Lists a faction and its members from the game and stores both, at the cost of two calls.
 * @throws GameCallError; what was stored before stays then
 * @returns how many members were listed
 */
export async function refreshFactionMembers(
  ctx: Context,
  factionId: number,
  { key, priority }: SyncCredentials,
): Promise<number> {
  // The listing counts from before the question: what is seen during it elsewhere is newer.
  const at = ctx.now();
  await noteSync(ctx.database.query, factionId, { sync: "members", at });
  const basic = await callGame(ctx, {
    key,
    priority,
    call: (game, text) => game.factionBasic(text, factionId),
  });
  const members = await callGame(ctx, {
    key,
    priority,
    call: (game, text) => game.factionMembers(text, factionId),
  });
  if (basic.factionId !== factionId)
    throw gameCallError({
      kind: "unexpected-answer",
      detail: `faction ${basic.factionId} instead of ${factionId}`,
    });
  const listing = listingOf(factionId, members, basic.members);

  const { name, tag, leaderId, coLeaderId } = basic;
  await ctx.database.transaction(async (tx) => {
    const watched = await wasListed(tx, factionId);
    await saveListedFaction(tx, { factionId, name, tag, leaderId, coLeaderId }, at);
    await placeMembers(ctx, tx, { factionId, ...listing, at, watched });
  });
  return members.length;
}

/** Joins and departures between the count and the list, or in what the game remembers of them, explain so many. */
const mostUncounted = 2;

/**
 * Reads the game's list of a faction's members, which takes the faction and its rights from everybody who is not on it.
 * @param counted the members that the game itself counts; where it does not say, the list ends nothing
 * @throws GameCallError where the list does not fit that count
 */
export function listingOf(
  factionId: number,
  members: Rows<FactionMember>,
  counted: number | null | undefined,
): Pick<MemberListing, "members" | "present"> {
  const ids = members.map(({ playerId }) => playerId);
  const { rows: unread = 0, ids: unreadIds = [] } = members.unreadable ?? {};
  const listed = new Set(ids).size + unread;
  const isCounted = counted !== null && counted !== undefined;
  const isEmptied = ids.length === 0 && counted !== 0;
  if (isEmptied || (isCounted && Math.abs(listed - counted) > mostUncounted))
    throw gameCallError({
      kind: "unexpected-answer",
      detail: `faction ${factionId}: ${listed} members listed, ${counted} counted`,
    });
  const isComplete = isCounted && unreadIds.length === unread;
  return {
    members: members.map(memberOf),
    present: isComplete ? [...ids, ...unreadIds] : "unknown",
  };
}

/** A member as the game lists them, as far as it is kept. */
const memberOf = (member: FactionMember): SeenMember => ({
  playerId: member.playerId,
  name: member.name,
  level: member.level,
  position: member.position,
  status: member.status.state,
  federalUntil: federalUntil(member.status),
  lastAction: member.lastAction.at,
});
