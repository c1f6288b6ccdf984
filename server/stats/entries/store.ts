import { and, count, desc, eq, inArray, max, sql } from "drizzle-orm";
import type { Queryable } from "#db/client";
import { players } from "#db/schema/players";
import { battleStats, statEntries, statLatest } from "#db/schema/stats";
import { columnsOf, first } from "#db/select";

/** `visibleTo` is 0 for everyone, or a faction id. */
export type StatEntry = Readonly<Omit<typeof statEntries.$inferSelect, "id">>;

/** Idempotent per attack and player. @returns the new entries */
export async function insertEntries(
  tx: Queryable,
  entries: readonly StatEntry[],
): Promise<StatEntry[]> {
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

const placeOf = ({
  attackCode,
  playerId,
}: Pick<StatEntry, "attackCode" | "playerId">): string | null =>
  attackCode === null ? null : `${attackCode} of ${playerId}`;

/**
 * Of entries with equal times the last wins, as in reads by time and id. Call it in the transaction
 * of the insert.
 */
export async function saveLatest(tx: Queryable, entries: readonly StatEntry[]): Promise<void> {
  const newest = new Map<string, StatEntry>();
  for (const entry of entries) {
    const place = `${entry.visibleTo} ${entry.playerId}`;
    const known = newest.get(place);
    if (!entry.lowerBound && (!known || known.timeAdded <= entry.timeAdded))
      newest.set(place, entry);
  }
  if (newest.size === 0) return;
  // Rows are locked in order of players, as for level changes, to avoid deadlocks.
  await tx.execute(sql`
    insert into ${statLatest} (visible_to, player_id, score, time_added, level, draw)
    select "visibleTo", "playerId", score, "timeAdded", coalesce(p.level, 0), random()
    from json_to_recordset(${JSON.stringify([...newest.values()])}::json)
      as entry ("visibleTo" int4, "playerId" int4, score float8, "timeAdded" timestamptz)
    left join ${players} p on p.id = "playerId"
    order by "playerId", "visibleTo"
    on conflict (visible_to, player_id) do update
      set score = excluded.score, time_added = excluded.time_added, level = excluded.level, draw = excluded.draw
      where excluded.time_added >= ${statLatest}.time_added`);
}

/** Rows are locked so that a deletion of the scores sees all entries derived from them. */
export async function readOwnScores(
  on: Queryable,
  playerIds: readonly number[],
): Promise<Map<number, { score: number; at: Date }>> {
  const rows = await on
    .select(columnsOf(battleStats, ["playerId", "score", "at"]))
    .from(battleStats)
    .where(inArray(battleStats.playerId, [...playerIds]))
    .orderBy(battleStats.playerId)
    .for("key share");
  return new Map(rows.map(({ playerId, score, at }) => [playerId, { score, at }]));
}

const groupsOf = (factionId: number | null): number[] =>
  factionId === null ? [0] : [0, factionId];

export function listVisible(
  on: Queryable,
  { playerId, factionId, limit }: Sight & { readonly limit: number },
) {
  const { score, timeAdded, visibleTo, source, lowerBound, id } = statEntries;
  return on
    .select({ id, score, at: timeAdded, visibleTo, source })
    .from(statEntries)
    .where(
      and(
        eq(statEntries.playerId, playerId),
        inArray(visibleTo, groupsOf(factionId)),
        eq(lowerBound, false),
      ),
    )
    .orderBy(desc(timeAdded), desc(id))
    .limit(limit);
}

/** `factionId` is the reader's faction. */
interface Sight {
  readonly playerId: number;
  readonly factionId: number | null;
}

export const findNewestVisible = (on: Queryable, { playerId, factionId }: Sight) =>
  first(
    on
      .select(columnsOf(statLatest, ["score", "timeAdded"]))
      .from(statLatest)
      .where(
        and(eq(statLatest.playerId, playerId), inArray(statLatest.visibleTo, groupsOf(factionId))),
      )
      .orderBy(desc(statLatest.timeAdded), desc(statLatest.visibleTo))
      .limit(1),
  );

/** Keyed by player id. */
export async function readNewestVisibleScores(
  on: Queryable,
  { playerIds, factionId }: { playerIds: readonly number[]; factionId: number | null },
): Promise<Map<number, number>> {
  const rows = await on
    .select(columnsOf(statLatest, ["playerId", "score"]))
    .from(statLatest)
    .where(
      and(
        inArray(statLatest.playerId, [...playerIds]),
        inArray(statLatest.visibleTo, groupsOf(factionId)),
      ),
    )
    .orderBy(statLatest.timeAdded, statLatest.visibleTo);
  return new Map(rows.map(({ playerId, score }) => [playerId, score]));
}

export const listOpponentProfiles = (on: Queryable, playerIds: readonly number[]) =>
  on
    .select({
      playerId: players.id,
      level: players.level,
      status: players.status,
      seenAt: players.lastRefresh,
    })
    .from(players)
    .where(inArray(players.id, [...playerIds]));

export async function readNewestImportTimes(
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

export async function summarizeFactionScores(on: Queryable, factionId: number) {
  const [row] = await on
    .select({ players: count(), newest: max(statLatest.timeAdded) })
    .from(statLatest)
    .where(eq(statLatest.visibleTo, factionId));
  return { players: row?.players ?? 0, newest: row?.newest ?? null };
}

/** The score comes from the player's own key, else from the faction's import, never from fights. */
export async function findOwnScore(on: Queryable, { playerId, factionId }: Sight) {
  const own = await first(
    on
      .select(columnsOf(battleStats, ["score", "at"]))
      .from(battleStats)
      .where(eq(battleStats.playerId, playerId)),
  );
  if (own || factionId === null) return own;
  const { score, timeAdded: at, source, visibleTo, id } = statEntries;
  return first(
    on
      .select({ score, at })
      .from(statEntries)
      .where(
        and(eq(statEntries.playerId, playerId), eq(visibleTo, factionId), eq(source, "import")),
      )
      .orderBy(desc(at), desc(id))
      .limit(1),
  );
}
