import { and, asc, eq, inArray, isNull, lte, notInArray, or } from "drizzle-orm";
import type { Queryable } from "#db/client";
import { excludedValues, excludedValuesIfKnown } from "#db/expressions";
import { factions, players } from "#db/schema/players";
import { columnsOf } from "#db/select";
import type { NamedPlayer, Player, PlayerFaction, PlayerSighting } from "../player";
import { factionAccessOnUpsert, isNewestSighting, sinceOnUpsert } from "../store";

export interface SeenMember
  extends NamedPlayer,
    Pick<PlayerSighting, "level" | "status" | "federalUntil" | "lastAction"> {
  readonly position: string;
}

export interface MemberListing {
  readonly factionId: number;
  readonly members: readonly SeenMember[];
  /** The ids of all rows if some were unreadable; "unknown" if the list may be incomplete. */
  readonly present?: readonly number[] | "unknown";
  readonly at: Date;
}

const playerFaction = { playerId: players.id, factionId: players.factionId };

export async function listPlayerFactions(
  tx: Queryable,
  playerIds: readonly number[],
): Promise<PlayerFaction[]> {
  if (playerIds.length === 0) return [];
  return tx
    .select(playerFaction)
    .from(players)
    .where(inArray(players.id, [...playerIds]));
}

/**
 * Locks in order of ids, so that two listings with swapped players cannot deadlock.
 * @returns the players' factions before
 */
export async function lockListedPlayers(
  tx: Queryable,
  { factionId, members }: MemberListing,
): Promise<PlayerFaction[]> {
  const ids = members.map(({ playerId }) => playerId);
  return tx
    .select(playerFaction)
    .from(players)
    .where(or(eq(players.factionId, factionId), inArray(players.id, ids)))
    .orderBy(asc(players.id))
    .for("update");
}

/** Members seen since the listing stay. */
export async function removeUnlistedMembers(
  tx: Queryable,
  { factionId, members, at, present = members.map(({ playerId }) => playerId) }: MemberListing,
): Promise<void> {
  if (present === "unknown") return;
  await tx
    .update(players)
    .set({ factionId: null, positionName: null, factionApiAccess: false, ...seenAt(at) })
    .where(
      and(
        eq(players.factionId, factionId),
        notInArray(players.id, [...present]),
        isNotSeenSince(at),
      ),
    );
}

const seenAt = (at: Date) => ({ factionSeen: at, factionSince: at, positionSince: at });

const isNotSeenSince = (at: Date) => or(isNull(players.factionSeen), lte(players.factionSeen, at));

export async function upsertMembers(
  tx: Queryable,
  { factionId, members, at }: MemberListing,
): Promise<void> {
  if (members.length === 0) return;
  const ordered = [...members].sort((a, b) => a.playerId - b.playerId);
  const rows = ordered.map(({ playerId, position, ...member }) => ({
    ...member,
    id: playerId,
    factionId,
    positionName: position,
    ...seenAt(at),
  }));
  await tx
    .insert(players)
    .values(rows)
    .onConflictDoUpdate({
      target: players.id,
      set: {
        ...excludedValues(players, ["federalUntil", "factionId", "positionName", "factionSeen"]),
        ...excludedValuesIfKnown(players, ["name", "level", "status", "lastAction"]),
        factionApiAccess: factionAccessOnUpsert,
        ...sinceOnUpsert,
      },
      setWhere: isNewestSighting,
    });
}

/** Players seen since `at` keep their access. */
export async function endFactionAccessExcept(
  tx: Queryable,
  {
    factionId,
    exceptPositions,
    at,
  }: { factionId: number; exceptPositions: readonly string[]; at: Date },
): Promise<void> {
  const concerned = await tx
    .select(columnsOf(players, ["id"]))
    .from(players)
    .where(
      and(
        eq(players.factionId, factionId),
        eq(players.factionApiAccess, true),
        or(isNull(players.positionName), notInArray(players.positionName, [...exceptPositions])),
        isNotSeenSince(at),
      ),
    )
    .orderBy(asc(players.id))
    .for("update");
  const ids = concerned.map(({ id }) => id);
  if (ids.length > 0)
    await tx.update(players).set({ factionApiAccess: false }).where(inArray(players.id, ids));
}

export type SeenFighter = NamedPlayer & Pick<Player, "level" | "faction"> & { readonly at: Date };

/** Players with a profile or from a listing stay as they are. */
export async function upsertFighters(
  tx: Queryable,
  fighters: readonly SeenFighter[],
): Promise<void> {
  if (fighters.length === 0) return;
  const rows = [...fighters]
    .sort((a, b) => a.playerId - b.playerId)
    .map(({ playerId, name, level, faction, at }) => ({
      id: playerId,
      name,
      level,
      factionId: faction?.factionId ?? null,
      ...seenAt(at),
    }));
  await tx
    .insert(players)
    .values(rows)
    .onConflictDoUpdate({
      target: players.id,
      set: {
        ...excludedValues(players, ["factionId", "factionSeen"]),
        ...excludedValuesIfKnown(players, ["name", "level"]),
        factionApiAccess: false,
        ...sinceOnUpsert,
      },
      setWhere: and(isNull(players.lastRefresh), isNull(players.positionName), isNewestSighting),
    });
}

export async function insertFactions(
  tx: Queryable,
  named: readonly { factionId: number; name: string }[],
): Promise<void> {
  if (named.length === 0) return;
  const rows = [...named]
    .sort((a, b) => a.factionId - b.factionId)
    .map(({ factionId, name }) => ({ id: factionId, name }));
  await tx.insert(factions).values(rows).onConflictDoNothing();
}
