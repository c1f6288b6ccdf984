import { and, count, eq, inArray, max } from "drizzle-orm";
import type { Queryable } from "#db/client";
import { statEntries, statLatest } from "#db/schema/stats";

/** When each of the players was last seen by an import of the faction. */
export async function readNewestImports(
  on: Queryable,
  { factionId, playerIds }: { factionId: number; playerIds: readonly number[] },
): Promise<Map<number, Date>> {
  const rows = await on
    .select({ playerId: statEntries.playerId, seen: max(statEntries.timeAdded) })
    .from(statEntries)
    .where(
      and(
        inArray(statEntries.playerId, [...playerIds]),
        eq(statEntries.visibleTo, factionId),
        eq(statEntries.source, "import"),
      ),
    )
    .groupBy(statEntries.playerId);
  return new Map(rows.flatMap(({ playerId, seen }) => (seen ? [[playerId, seen] as const] : [])));
}

/** How many players' scores a faction keeps for itself, and when the newest of them was seen. */
export async function countOwnScores(
  on: Queryable,
  factionId: number,
): Promise<{ players: number; newest: Date | null }> {
  const [row] = await on
    .select({ players: count(), newest: max(statLatest.timeAdded) })
    .from(statLatest)
    .where(eq(statLatest.visibleTo, factionId));
  return { players: row?.players ?? 0, newest: row?.newest ?? null };
}
