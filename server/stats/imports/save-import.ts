import type { Queryable } from "#db/client";
import { statScore } from "#server/users/stats/stat-score";
import { insertEntries, saveLatest } from "../entries/store";
import type { ImportRow } from "./import-row";
import { countOwnScores, readNewestImports } from "./store";

/**
 * Keeps what a faction's export says, for that faction alone. Of the stats only the score stays. What is not newer than an import
 * before it told is left out. Call it in a transaction, with the right to do so checked in it.
 * @returns how many scores were new
 */
export async function saveImport(
  tx: Queryable,
  { factionId, rows }: { readonly factionId: number; readonly rows: readonly ImportRow[] },
): Promise<number> {
  const known = await readNewestImports(tx, { factionId, playerIds: rows.map(({ playerId }) => playerId) });
  const newer = rows.filter(({ playerId, seen }) => seen > (known.get(playerId) ?? new Date(0)));
  const entries = newer.map(({ playerId, seen, ...stats }) => ({
    visibleTo: factionId,
    playerId,
    score: statScore(stats),
    timeAdded: seen,
    sigma: 0,
    fairFight: null,
    lowerBound: false,
    source: "import" as const,
    attackCode: null,
    contributorId: null,
  }));
  await saveLatest(tx, await insertEntries(tx, entries));
  return entries.length;
}

/** How many players' scores a faction keeps for itself, and when the newest of them was seen. For its members alone. */
export const countFactionScores = (on: Queryable, factionId: number) => countOwnScores(on, factionId);
