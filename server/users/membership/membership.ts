import type { Queryable } from "#db/client";
import type { TokenHolder } from "#server/actor";
import type { Context } from "#server/context";
import type { NewEvent } from "#server/event-log/event-type";
import { recordEvents } from "#server/event-log/record-events";
import type { PlayerFaction, PlayerRecord } from "../player";
import { findOwnPlayer } from "../store";
import { memberJoined, memberLeft } from "./events";
import {
  insertFactions,
  listPlayerFactions,
  lockListedPlayers,
  type MemberListing,
  removeUnlistedMembers,
  type SeenFighter,
  upsertFighters,
  upsertMembers,
} from "./store";

/** The faction is never cached. Null for a player without a faction and for an unknown player. */
export async function readCallerFactionId(
  ctx: Context,
  { by, player }: { by: Pick<TokenHolder, "playerId">; player: PlayerRecord | undefined },
): Promise<number | null> {
  return player ? player.factionId : findOwnFactionId(ctx, by.playerId);
}

export const findOwnFactionId = async (ctx: Context, playerId: number): Promise<number | null> =>
  (await findOwnPlayer(ctx.database, playerId))?.factionId ?? null;

/**
 * Listed players are in the faction, missing players have left. Call it last in a transaction.
 * @param listing.watched true if the faction was listed before, so that new players count as joined
 */
export async function applyMemberListing(
  ctx: Context,
  tx: Queryable,
  { members, watched, ...listing }: MemberListing & { readonly watched: boolean },
): Promise<void> {
  const once = {
    ...listing,
    members: [...new Map(members.map((member) => [member.playerId, member])).values()],
  };
  const before = await lockListedPlayers(tx, once);
  await removeUnlistedMembers(tx, once);
  await upsertMembers(tx, once);
  const known = new Set(before.map(({ playerId }) => playerId));
  const unknown = once.members.filter(({ playerId }) => watched && !known.has(playerId));
  await recordMoves(ctx, tx, [
    ...before,
    ...unknown.map(({ playerId }) => ({ playerId, factionId: null })),
  ]);
}

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

export { endFactionAccessExcept as endAccessOfHolders } from "./store";

/** A fighter's latest sighting wins. Call it in a transaction. */
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
