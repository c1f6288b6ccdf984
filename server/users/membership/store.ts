import { and, asc, eq, inArray, isNull, lte, notInArray, or, sql } from "drizzle-orm";
import type { Queryable } from "#db/client";
import { excluded, excludedIfKnown } from "#db/excluded";
import { factions, players } from "#db/schema/players";
import { keptFactionAccess, notSeenLater, type PlayerFaction, sinceOfSighting } from "../store";

/** A member as the game's listing of a faction shows them. */
export interface SeenMember {
  readonly playerId: number;
  readonly name: string;
  /** Null where the game did not tell. */
  readonly level: number | null;
  readonly position: string;
  readonly status: string;
  /** In federal jail, or fallen, until then; null: not. */
  readonly federalUntil: Date | null;
  readonly lastAction: Date | null;
}

/** A listing of a faction's members at one moment. */
export interface MemberListing {
  readonly factionId: number;
  readonly members: readonly SeenMember[];
  /** Ids of all on the list, where more than `members` could not be read of it; unknown where it may lack some. */
  readonly present?: readonly number[] | "unknown";
  readonly at: Date;
}

/** The stored factions of these players; unknown players are left out. */
export async function listPlayerFactions(
  tx: Queryable,
  playerIds: readonly number[],
): Promise<PlayerFaction[]> {
  if (playerIds.length === 0) return [];
  return tx
    .select({ playerId: players.id, factionId: players.factionId })
    .from(players)
    .where(inArray(players.id, [...playerIds]));
}

/** Locks all players of a listing in order of id: players who swap factions must not make two listings wait in a circle. @returns where they were */
export async function lockConcerned(
  tx: Queryable,
  { factionId, members }: MemberListing,
): Promise<PlayerFaction[]> {
  const ids = members.map(({ playerId }) => playerId);
  return tx
    .select({ playerId: players.id, factionId: players.factionId })
    .from(players)
    .where(
      ids.length > 0
        ? or(eq(players.factionId, factionId), inArray(players.id, ids))
        : eq(players.factionId, factionId),
    )
    .orderBy(asc(players.id))
    .for("update");
}

/**
 * Takes the faction from those who are not on the listing, unless they were seen in it later. Position and faction API
 * access end in the same statement.
 */
export async function releaseOthers(
  tx: Queryable,
  { factionId, members, at, present = members.map(({ playerId }) => playerId) }: MemberListing,
): Promise<void> {
  if (present === "unknown") return;
  await tx
    .update(players)
    .set({
      ...{ factionId: null, positionName: null, factionApiAccess: false, factionSeen: at },
      ...{ factionSince: at, positionSince: at },
    })
    .where(
      and(
        eq(players.factionId, factionId),
        notInArray(players.id, [...present]),
        or(isNull(players.factionSeen), lte(players.factionSeen, at)),
      ),
    );
}

/** Stores those on the listing. A newer sighting that is already stored wins. */
export async function upsertMembers(
  tx: Queryable,
  { factionId, members, at }: MemberListing,
): Promise<void> {
  if (members.length === 0) return;
  // Rows are locked in one order, so that two listings cannot wait for each other.
  const ordered = [...members].sort((a, b) => a.playerId - b.playerId);
  const rows = ordered.map(({ playerId, position, ...member }) => ({
    ...member,
    id: playerId,
    factionId,
    positionName: position,
    factionSeen: at,
    ...{ factionSince: at, positionSince: at },
  }));
  await tx
    .insert(players)
    .values(rows)
    .onConflictDoUpdate({
      target: players.id,
      set: {
        ...excluded(players, ["federalUntil", "factionId", "positionName", "factionSeen"]),
        ...excludedIfKnown(players, ["name", "level", "status", "lastAction"]),
        factionApiAccess: keptFactionAccess,
        ...sinceOfSighting,
      },
      setWhere: notSeenLater,
    });
}

/** Ends faction API access of the faction's members who hold none of these positions. A newer sighting wins. */
export async function endAccessExcept(
  tx: Queryable,
  {
    factionId,
    exceptPositions,
    at,
  }: { factionId: number; exceptPositions: readonly string[]; at: Date },
): Promise<void> {
  const concerned = await tx
    .select({ id: players.id })
    .from(players)
    .where(
      and(
        eq(players.factionId, factionId),
        eq(players.factionApiAccess, true),
        or(isNull(players.positionName), notInArray(players.positionName, [...exceptPositions])),
        or(isNull(players.factionSeen), lte(players.factionSeen, at)),
      ),
    )
    .orderBy(asc(players.id))
    .for("update");
  const ids = concerned.map(({ id }) => id);
  if (ids.length > 0)
    await tx.update(players).set({ factionApiAccess: false }).where(inArray(players.id, ids));
}

/** A player as the line of a fight shows them. */
export interface SeenFighter {
  readonly playerId: number;
  readonly name: string;
  readonly level: number | null;
  readonly faction: { readonly factionId: number; readonly name: string } | null;
  /** When the fight ended. */
  readonly at: Date;
}

/** Stores players known from fights alone. Players with a profile or on a listing stay as they are. */
export async function upsertFighters(
  tx: Queryable,
  fighters: readonly SeenFighter[],
): Promise<void> {
  if (fighters.length === 0) return;
  // Rows are locked in order of id, as listings do, so that nobody waits in a circle.
  const rows = [...fighters]
    .sort((a, b) => a.playerId - b.playerId)
    .map(({ playerId, name, level, faction, at }) => ({
      ...{ id: playerId, name, level },
      factionId: faction?.factionId ?? null,
      factionSeen: at,
      ...{ factionSince: at, positionSince: at },
    }));
  await tx
    .insert(players)
    .values(rows)
    .onConflictDoUpdate({
      target: players.id,
      set: {
        ...excluded(players, ["factionId", "factionSeen"]),
        ...excludedIfKnown(players, ["name", "level"]),
        factionApiAccess: false,
        ...sinceOfSighting,
      },
      setWhere: and(
        isNull(players.lastRefresh),
        isNull(players.positionName),
        or(isNull(players.factionSeen), lte(players.factionSeen, sql`excluded.faction_seen`)),
      ),
    });
}

/** Keeps the names of factions that nothing has told of yet. */
export async function insertFactions(
  tx: Queryable,
  named: readonly { readonly factionId: number; readonly name: string }[],
): Promise<void> {
  if (named.length === 0) return;
  const rows = [...named]
    .sort((a, b) => a.factionId - b.factionId)
    .map(({ factionId, name }) => ({ id: factionId, name }));
  await tx.insert(factions).values(rows).onConflictDoNothing();
}
