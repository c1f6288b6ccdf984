import type { Context } from "#server/context";
import type { FactionMember } from "#server/game/contract/faction";
import type { Rows } from "#server/game/contract/rows";
import { gameCallError } from "#server/game/game-call-error";
import { secondMs } from "#server/platform/time";
import { callGame } from "#server/users/keys/call-game";
import { applyMemberListing } from "#server/users/membership/membership";
import type { MemberListing } from "#server/users/membership/store";
import { federalUntil } from "#server/users/player";
import { refreshPlayer } from "#server/users/refresh-player";
import { findMembersListedAt, saveListedFaction } from "./store";
import { type SyncCredentials, syncSchedules } from "./sync-schedules";
import { noteSyncAttempt } from "./sync-store";

export const listingIsStale = (listed: Date | null, now: Date): boolean =>
  listed === null ||
  now.getTime() - listed.getTime() >= syncSchedules.members.everySeconds * secondMs;

/**
 * Costs two calls.
 * @throws GameCallError; stored data stays
 */
export async function refreshFactionMembers(
  ctx: Context,
  factionId: number,
  { key, priority }: SyncCredentials,
): Promise<number> {
  // The time before the call, so that a sighting during the call is newer.
  const at = ctx.now();
  await noteSyncAttempt(ctx.database.query, factionId, { sync: "members", at });
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

  const { members: _, ...faction } = basic;
  await ctx.database.transaction(async (tx) => {
    const watched = (await findMembersListedAt(tx, factionId)) !== null;
    await saveListedFaction(tx, faction, at);
    await applyMemberListing(ctx, tx, { factionId, ...listing, at, watched });
  });
  return members.length;
}

/** Joins and departures between two calls, or the game's caches, may explain this difference. */
const mostUncounted = 2;

/**
 * Missing players lose the faction and its rights, so the list must agree with the game's count.
 * @param counted the game's member count; without a count the list ends no membership
 * @throws GameCallError if list and count differ too much
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
    members: members.map(({ status, ...member }) => ({
      ...member,
      status: status.state,
      federalUntil: federalUntil(status),
    })),
    present: isComplete ? [...ids, ...unreadIds] : "unknown",
  };
}

/** Refreshes the key's owner, so that the key is not used again for this faction. */
export async function throwWrongFaction(
  ctx: Context,
  factionId: number,
  credentials: SyncCredentials,
): Promise<never> {
  await requireKeyOwnerIn(ctx, factionId, credentials);
  throw wrongFaction(factionId);
}

/**
 * Call it for an answer that names no faction.
 * @throws GameCallError if the key's owner has left
 */
export async function requireKeyOwnerIn(
  ctx: Context,
  factionId: number,
  { key, priority }: SyncCredentials,
): Promise<void> {
  const owner = await refreshPlayer(ctx, { playerId: key.playerId, key, priority });
  if (owner.factionId !== factionId) throw wrongFaction(factionId);
}

const wrongFaction = (factionId: number) =>
  gameCallError({
    kind: "unexpected-answer",
    detail: `the answer does not concern faction ${factionId}`,
  });
