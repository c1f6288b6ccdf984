import type { Queryable } from "#db/client";
import type { TokenHolder } from "#server/actor";
import type { Context } from "#server/context";
import type { NewEvent } from "#server/event-log/event-type";
import { recordEvents } from "#server/event-log/record-events";
import type { PlayerRecord } from "../player";
import { findOwnPlayer, type PlayerFaction } from "../store";
import { memberJoined, memberLeft } from "./events";
import {
  endAccessExcept,
  insertFactions,
  listPlayerFactions,
  lockConcerned,
  type MemberListing,
  releaseOthers,
  type SeenFighter,
  upsertFighters,
  upsertMembers,
} from "./store";

/** The faction that somebody is in now, which is never remembered: null for none, and for somebody unknown. */
export async function readOwnFaction(
  ctx: Context,
  { actor, player }: { actor: Pick<TokenHolder, "playerId">; player: PlayerRecord | undefined },
): Promise<number | null> {
  return player ? player.factionId : findOwnFaction(ctx, actor.playerId);
}

/** The faction that a player is in now; null for none, and for somebody unknown. */
export const findOwnFaction = async (ctx: Context, playerId: number): Promise<number | null> =>
  (await findOwnPlayer(ctx.database, playerId))?.factionId ?? null;

/**
 * Applies a listing of a faction: players on it are in the faction, and players who are not present have left. Call it in a
 * transaction, last.
 * @param listing.watched whether the faction was listed before, so that players who are new on the list have joined
 */
export async function placeMembers(
  ctx: Context,
  tx: Queryable,
  { members, watched, ...listing }: MemberListing & { readonly watched: boolean },
): Promise<void> {
  // A player who is listed twice counts once.
  const once = {
    ...listing,
    members: [...new Map(members.map((member) => [member.playerId, member])).values()],
  };
  const before = await lockConcerned(tx, once);
  await releaseOthers(tx, once);
  await upsertMembers(tx, once);
  const known = new Set(before.map(({ playerId }) => playerId));
  const unknown = once.members.filter(({ playerId }) => watched && !known.has(playerId));
  await recordMoves(ctx, tx, [
    ...before,
    ...unknown.map(({ playerId }) => ({ playerId, factionId: null })),
  ]);
}

/** Tells of the players who are in another faction by now than they were. */
export async function recordMoves(
  ctx: Context,
  tx: Queryable,
  before: readonly PlayerFaction[],
): Promise<void> {
  const after = await listPlayerFactions(
    tx,
    before.map(({ playerId }) => playerId),
  );
  const now = new Map(after.map(({ playerId, factionId }) => [playerId, factionId]));
  const events: NewEvent[] = before.flatMap(({ playerId, factionId: left }) => {
    const joined = now.get(playerId);
    if (joined === undefined || joined === left) return [];
    return [
      ...(left === null ? [] : [{ type: memberLeft, subject: playerId, factionId: left }]),
      ...(joined === null ? [] : [{ type: memberJoined, subject: playerId, factionId: joined }]),
    ];
  });
  await recordEvents(ctx, tx, events);
}

/** Takes faction API access from the members whose position does not grant it, unless they were seen in it later. */
export const endAccessOfHolders = (
  tx: Queryable,
  of: {
    readonly factionId: number;
    readonly exceptPositions: readonly string[];
    readonly at: Date;
  },
): Promise<void> => endAccessExcept(tx, of);

/**
 * Stores the players seen in a fight, with the names of their factions. Of several sightings of one the latest counts.
 * Call it in a transaction.
 */
export async function noteFighters(tx: Queryable, seen: readonly SeenFighter[]): Promise<void> {
  const latest = new Map<number, SeenFighter>();
  for (const fighter of seen) {
    const known = latest.get(fighter.playerId);
    if (!known || known.at <= fighter.at) latest.set(fighter.playerId, fighter);
  }
  const fighters = [...latest.values()];
  const factions = new Map(
    fighters.flatMap(({ faction }) => (faction ? [[faction.factionId, faction] as const] : [])),
  );
  await insertFactions(tx, [...factions.values()]);
  await upsertFighters(tx, fighters);
}
