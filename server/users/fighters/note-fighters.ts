import type { Queryable } from "#db/client";
import { insertFactions, type SeenFighter, upsertFighters } from "./store";

export type { SeenFighter };

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
  const factions = new Map(fighters.flatMap(({ faction }) => (faction ? [[faction.factionId, faction] as const] : [])));
  await insertFactions(tx, [...factions.values()]);
  await upsertFighters(tx, fighters);
}
