import { and, isNull, lte, or, sql } from "drizzle-orm";
import type { Queryable } from "#db/client";
import { excluded, excludedIfKnown } from "#db/excluded";
import { factions, players } from "#db/schema/players";
import { sinceOfSighting } from "../store";

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
export async function upsertFighters(tx: Queryable, fighters: readonly SeenFighter[]): Promise<void> {
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
