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

/** Adds entries, an attack's about one player once. @returns those that were new */
export async function insertEntries(tx: Queryable, entries: readonly StatEntry[]): Promise<StatEntry[]> {
  const placed = new Map(entries.map((entry, index) => [placeOf(entry) ?? String(index), entry]));
  const distinct = [...placed.values()];
  if (distinct.length === 0) return [];
  const added = tx
    .$with("added", {
      attackCode: sql<string | null>`attack_code`.as("attack_code"),
      playerId: sql<number>`player_id`.as("player_id"),
    })
    .as(sql`
      insert into ${statEntries} (visible_to, player_id, score, time_added, sigma, fair_fight, lower_bound, source,
        attack_code, contributor_id)
      select "visibleTo", "playerId", score, "timeAdded", sigma, "fairFight", "lowerBound", source,
        "attackCode", "contributorId"
      from json_to_recordset(${JSON.stringify(distinct)}::json) as entry ("visibleTo" int4, "playerId" int4,
        score float8, "timeAdded" timestamptz, sigma float4, "fairFight" float4, "lowerBound" bool, source text,
        "attackCode" text, "contributorId" int4)
      on conflict (attack_code, player_id) do nothing returning attack_code, player_id`);
  const rows = await tx.with(added).select().from(added);
  const places = new Set(rows.map(placeOf));
  return distinct.filter((entry) => entry.attackCode === null || places.has(placeOf(entry)));
}

/** An attack tells of a player once; an import has no such place. */
const placeOf = ({ attackCode, playerId }: Pick<StatEntry, "attackCode" | "playerId">): string | null =>
  attackCode === null ? null : `${attackCode} of ${playerId}`;

/**
 * Keeps the newest score of each player in each group. Of several of one moment the last counts, as it does where entries are
 * read by time and id. What only bounds a score is none. Call it with what was inserted, in the same transaction.
 */
export async function saveLatest(tx: Queryable, entries: readonly StatEntry[]): Promise<void> {
  const newest = new Map<string, StatEntry>();
  for (const entry of entries) {
    const place = `${entry.visibleTo} ${entry.playerId}`;
    const known = newest.get(place);
    if (!entry.lowerBound && (!known || known.timeAdded <= entry.timeAdded)) newest.set(place, entry);
  }
  if (newest.size === 0) return;
  const rows = [...newest.values()].map(({ visibleTo, playerId, score, timeAdded }) => ({
    ...{ visibleTo, playerId, score, timeAdded },
  }));
  // Locked in order of player, as a change of level does, so that nobody waits in a circle.
  await tx.execute(sql`
    insert into ${statLatest} (visible_to, player_id, score, time_added, level, draw)
    select "visibleTo", "playerId", score, "timeAdded", coalesce(p.level, 0), random()
    from json_to_recordset(${JSON.stringify(rows)}::json)
      as entry ("visibleTo" int4, "playerId" int4, score float8, "timeAdded" timestamptz)
    left join ${players} p on p.id = "playerId"
    order by "playerId", "visibleTo"
    on conflict (visible_to, player_id) do update
      set score = excluded.score, time_added = excluded.time_added, level = excluded.level, draw = excluded.draw
      where excluded.time_added >= ${statLatest}.time_added`);
}

/** The players' own scores, as their keys told; held until the transaction ends, so that no deletion misses what comes of them. */
export async function readOwnScores(
  on: Queryable,
  playerIds: readonly number[],
): Promise<Map<number, { score: number; at: Date }>> {
  const rows = await on
    .select({ playerId: battleStats.playerId, score: battleStats.score, at: battleStats.at })
    .from(battleStats)
    .where(inArray(battleStats.playerId, [...playerIds]))
    .orderBy(battleStats.playerId)
    .for("key share");
  return new Map(rows.map(({ playerId, score, at }) => [playerId, { score, at }]));
}

/** Whose scores a viewer may see: those that are public, and their own faction's. */
const groupsOf = (factionId: number | null): number[] => (factionId === null ? [0] : [0, factionId]);

/** Scores of a player that a viewer may see, newest first. What only bounds a score is none. */
export function listVisible(
  on: Queryable,
  {
    playerId,
    factionId,
    limit,
  }: { readonly playerId: number; readonly factionId: number | null; readonly limit: number },
) {
  const { score, timeAdded, visibleTo, source, lowerBound, id } = statEntries;
  return on
    .select({ id, score, at: timeAdded, visibleTo, source })
    .from(statEntries)
    .where(and(eq(statEntries.playerId, playerId), inArray(visibleTo, groupsOf(factionId)), eq(lowerBound, false)))
    .orderBy(desc(timeAdded), desc(id))
    .limit(limit);
}

/** What a viewer may see of a player: the newest score that is public or their own faction's. */
export async function findNewestVisible(
  on: Queryable,
  { playerId, factionId }: { readonly playerId: number; readonly factionId: number | null },
): Promise<{ score: number; timeAdded: Date } | undefined> {
  const [row] = await on
    .select({ score: statLatest.score, timeAdded: statLatest.timeAdded })
    .from(statLatest)
    .where(and(eq(statLatest.playerId, playerId), inArray(statLatest.visibleTo, groupsOf(factionId))))
    .orderBy(desc(statLatest.timeAdded), desc(statLatest.visibleTo))
    .limit(1);
  return row;
}
