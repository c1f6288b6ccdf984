import { and, desc, eq, inArray, sql } from "drizzle-orm";
import type { Queryable } from "#db/client";
import { players } from "#db/schema/players";
import { battleStats, statEntries, statLatest } from "#db/schema/stats";

/** A score of a player that some may see: everybody (`visibleTo` 0) or one faction. */
export interface StatEntry {
  readonly visibleTo: number;
  readonly playerId: number;
  readonly score: number;
  readonly timeAdded: Date;
  /** Relative error of the score. */
  readonly sigma: number;
  readonly fairFight: number | null;
  /** The true score is at least this. */
  readonly lowerBound: boolean;
  readonly source: "fight" | "import";
  readonly attackCode: string | null;
  /** Whose own score it was derived from. */
  readonly contributorId: number | null;
}

/** Rows of one statement: a statement has at most 65,535 parameters. */
const rowsAtOnce = 1_000;

/** Adds entries, an attack's about one player once. @returns those that were new */
export async function insertEntries(tx: Queryable, entries: readonly StatEntry[]): Promise<StatEntry[]> {
  const added: StatEntry[] = [];
  for (const rows of inParts(entries)) {
    const inserted = await tx
      .insert(statEntries)
      .values(rows)
      .onConflictDoNothing({ target: [statEntries.attackCode, statEntries.playerId] })
      .returning();
    added.push(...inserted);
  }
  return added;
}

/**
 * Keeps the newest score of each player in each group. Of several of one moment the last counts, as it does where entries are
 * read by time and id. What only bounds a score is none. Call it with what was inserted, in the same transaction.
 */
export async function keepLatest(tx: Queryable, entries: readonly StatEntry[]): Promise<void> {
  const newest = new Map<string, StatEntry>();
  for (const entry of entries) {
    const place = `${entry.visibleTo} ${entry.playerId}`;
    const known = newest.get(place);
    if (!entry.lowerBound && (!known || known.timeAdded <= entry.timeAdded)) newest.set(place, entry);
  }
  // Locked in order of player, as a change of level does, so that nobody waits in a circle.
  const ordered = [...newest.values()].sort((a, b) => a.playerId - b.playerId || a.visibleTo - b.visibleTo);
  for (const part of inParts(ordered)) {
    const rows = part.map(({ visibleTo, playerId, score, timeAdded }) => ({
      ...{ visibleTo, playerId, score, timeAdded },
      level: sql`coalesce((select ${players.level} from ${players} where ${players.id} = ${playerId}), 0)`,
      draw: sql`random()`,
    }));
    await tx
      .insert(statLatest)
      .values(rows)
      .onConflictDoUpdate({
        target: [statLatest.visibleTo, statLatest.playerId],
        set: {
          score: sql`excluded.score`,
          timeAdded: sql`excluded.time_added`,
          level: sql`excluded.level`,
          draw: sql`excluded.draw`,
        },
        setWhere: sql`excluded.time_added >= ${statLatest.timeAdded}`,
      });
  }
}

function inParts<T>(all: readonly T[]): T[][] {
  const parts = Math.ceil(all.length / rowsAtOnce);
  return Array.from({ length: parts }, (_, part) => all.slice(part * rowsAtOnce, (part + 1) * rowsAtOnce));
}

/** The players' own scores, as their keys told. */
export async function readOwnScores(
  on: Queryable,
  playerIds: readonly number[],
): Promise<Map<number, { score: number; at: Date }>> {
  const rows = await on
    .select({ playerId: battleStats.playerId, score: battleStats.score, at: battleStats.at })
    .from(battleStats)
    .where(inArray(battleStats.playerId, [...playerIds]));
  return new Map(rows.map(({ playerId, score, at }) => [playerId, { score, at }]));
}

/** What a viewer may see of a player: the newest score that is public or their own faction's. */
export async function findNewestVisible(
  on: Queryable,
  { playerId, factionId }: { readonly playerId: number; readonly factionId: number | null },
): Promise<{ score: number; timeAdded: Date } | undefined> {
  const groups = factionId === null ? [0] : [0, factionId];
  const [row] = await on
    .select({ score: statLatest.score, timeAdded: statLatest.timeAdded })
    .from(statLatest)
    .where(and(eq(statLatest.playerId, playerId), inArray(statLatest.visibleTo, groups)))
    .orderBy(desc(statLatest.timeAdded), desc(statLatest.visibleTo))
    .limit(1);
  return row;
}
