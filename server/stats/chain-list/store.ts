import { type SQL, sql } from "drizzle-orm";
import type { Queryable } from "#db/client";
import { instantSql } from "#db/expressions";
import { factions, players } from "#db/schema/players";
import { levelScoreCell, scoreBucket, statLatest } from "#db/schema/stats";
import { type ChainOrder, levelsThatBring, type TargetSearch } from "./target-search";

const float = (value: number): SQL => sql`${value}::float8`;
const groupsOf = ({ factionId }: TargetSearch): SQL[] =>
  (factionId === null ? [0] : [0, factionId]).map((group) => sql`${group}::int4`);
const all = (parts: readonly SQL[]): SQL => sql.join([...parts], sql` union all `);

const row = sql`l.visible_to, l.player_id, l.score, l.time_added, l.level, l.draw`;
const inBox = ({ scores, since }: TargetSearch): SQL =>
  sql`l.score >= ${float(scores.from)} and l.score < ${float(scores.below)} and l.time_added >= ${instantSql(since)}`;

/** SQL form of `hitRespect`. */
const respectOf = (level: SQL, score: SQL, ownScore: number): SQL =>
  sql`${baseOf(level)} * least(3, 1 + 8.0 / 3 * ${score} / ${float(ownScore)})`;
const baseOf = (level: SQL): SQL => sql`round((${level} + 197) / 198.0, 2)::float8`;

function ranked({ order, start, ownScore }: TargetSearch, rows: SQL): SQL {
  const ranks: Record<ChainOrder, [SQL, SQL]> = {
    random: [sql`(c.draw < ${start}::real)::int`, sql`c.draw`],
    "recently-updated": [sql`-extract(epoch from c.time_added)::float8`, sql`-c.player_id`],
    "highest-respect": [sql`-(${respectOf(sql`c.level`, sql`c.score`, ownScore)})`, sql`c.score`],
  };
  const [first, second] = ranks[order];
  return sql`select c.*, ${first} as rank_a, ${second} as rank_b from (${rows}) c`;
}

/** Ties break by player id, so that results are stable. */
const byRank = sql`rank_a, rank_b, player_id`;

/** OFFSET forces a nested loop, which stops at the limit. */
function shown(search: TargetSearch): SQL {
  const { playerId, factionId, factionless, inactive, level, now } = search;
  const rules = [
    sql`p.id = l.player_id and p.id <> ${playerId}`,
    sql`p.level between ${level.min} and ${level.max}`,
    sql`(p.federal_until is null or p.federal_until <= ${instantSql(now)})`,
  ];
  if (factionless) rules.push(sql`p.faction_id is null`);
  if (inactive)
    rules.push(
      sql`p.last_action <= ${instantSql(inactive.lastActionBy)} and p.last_refresh >= ${instantSql(inactive.refreshedSince)}`,
    );
  if (factionId !== null)
    // Only the newer of the public and the faction's entry counts, even if it does not match.
    rules.push(
      sql`p.faction_id is distinct from ${factionId}`,
      sql`not exists (select from ${statLatest} o where o.player_id = p.id and o.visible_to in (0, ${factionId})
        and (o.time_added, o.visible_to) > (l.time_added, l.visible_to))`,
    );
  return sql`lateral (select p.* from ${players} p where ${sql.join(rules, sql` and `)} offset 0) p`;
}

export type Target = Awaited<ReturnType<typeof pick>>[number];

async function pick(on: Queryable, search: TargetSearch, rows: SQL) {
  const found = await on
    .select({
      playerId: sql`t.player_id`.mapWith(Number),
      name: sql<string>`t.name`,
      level: sql`t.level`.mapWith(Number),
      score: sql`t.score`.mapWith(Number),
      timeAdded: sql`t.time_added`.mapWith(statLatest.timeAdded),
      lastAction: sql<Date | null>`t.last_action`.mapWith(players.lastAction),
      lastRefresh: sql<Date | null>`t.last_refresh`.mapWith(players.lastRefresh),
      factionId: sql<number | null>`t.faction_id`,
      factionName: sql<string | null>`f.name`,
    })
    .from(sql`(
      select l.*, p.name, p.last_action, p.last_refresh, p.faction_id
      from (select * from (${rows}) r order by ${byRank}) l cross join ${shown(search)}
      order by ${byRank} limit ${search.limit}) t left join ${factions} f on f.id = t.faction_id order by ${byRank}`);
  return found.map(({ factionId, factionName, ...target }) => ({
    ...target,
    faction: factionId === null ? null : { factionId, name: factionName ?? "" },
  }));
}

/**
 * A truncated cell hides its later rows, so rows ranked behind its last row are dropped. The result
 * is then a prefix of all matches.
 */
export function searchScoreCells(
  on: Queryable,
  search: TargetSearch,
  { each, upToEnd }: { each: number | null; upToEnd?: true },
): Promise<Target[]> {
  const { order, start } = search;
  const limit = each === null ? sql`all` : sql`${each}::int4`;
  const first = (rule: SQL, by: SQL): SQL => sql`(select w.*, row_number() over () as place from (
    select ${row} from ${statLatest} l where ${inCell(search)} ${rule} order by ${by} limit ${limit}) w)`;
  const along = sql`l.draw, l.player_id`;
  const toEnd = first(sql`and l.draw >= ${start}::real`, along);
  const best =
    order !== "random"
      ? first(sql``, sql`l.time_added desc, l.player_id desc`)
      : upToEnd
        ? toEnd
        : all([toEnd, first(sql`and l.draw < ${start}::real`, along)]);
  const found = sql`select b.* from ${cellsOf(search)} cross join ${groups(search)} cross join lateral (${best}) b`;
  const rows = sql`
    with found as materialized (${ranked(search, found)}),
      horizon as (select ${byRank} from found where place = ${each}::int4 order by ${byRank} limit 1)
    select * from found
    where not exists (select from horizon) or (${byRank}) <= (select ${byRank} from horizon)`;
  return pick(on, search, rows);
}

async function countUpTo(on: Queryable, most: number, from: SQL): Promise<number> {
  const [counted] = await on
    .select({ rows: sql`count(*)`.mapWith(Number) })
    .from(sql`(select from ${from} limit ${most}) counted`);
  return counted?.rows ?? 0;
}

export const countInScoreCells = (
  on: Queryable,
  search: TargetSearch,
  most: number,
): Promise<number> =>
  countUpTo(
    on,
    most,
    sql`${cellsOf(search)} cross join ${groups(search)} cross join lateral
      (select from ${statLatest} l where ${inCell(search)} offset 0) l`,
  );

/** Expects the aliases l (row), s (cell) and g (group). */
const inCell = (search: TargetSearch): SQL => sql`l.visible_to = g.visible_to and l.cell = s.cell
  and l.level between ${search.level.min} and ${search.level.max} and ${inBox(search)}`;

function cellsOf({ level, scores }: TargetSearch): SQL {
  const levels = sql`generate_series(${level.min}::int4 / 10, ${level.max}::int4 / 10)`;
  const [lowest, highest] = [scores.from, scores.below].map((score) => scoreBucket(float(score)));
  return sql`(select ${levelScoreCell(sql`tens`, sql`step`)} as cell from ${levels} as tens,
    generate_series(${lowest}, ${highest}) as step) s`;
}

export const countRefreshed = (on: Queryable, since: Date, most: number): Promise<number> =>
  countUpTo(on, most, sql`${players} where last_refresh >= ${instantSql(since)}`);

export function searchRefreshed(on: Queryable, search: TargetSearch): Promise<Target[]> {
  const { level, inactive, now } = search;
  const since = inactive?.refreshedSince ?? now;
  const parts = groupsOf(search).map(
    (
      group,
    ) => sql`select l.* from ${players} q cross join lateral (select ${row} from ${statLatest} l
      where l.visible_to = ${group} and l.player_id = q.id offset 0) l
      where q.last_refresh >= ${instantSql(since)} and l.level between ${level.min} and ${level.max} and ${inBox(search)}`,
  );
  return pick(on, search, ranked(search, all(parts)));
}

/**
 * Takes the strongest targets of each level below the fair-fight cap, and the weakest above the
 * cap, where strength adds no respect.
 * @param bound lower bound of the best respect; 0 if unknown
 */
export async function searchByRespect(
  on: Queryable,
  search: TargetSearch,
  { bound, rows }: { bound: number; rows: number },
): Promise<Target[]> {
  const { ownScore } = search;
  const level = levelsThatBring(search, bound);
  if (!level) return [];
  const least = sql`(${float(bound)} / ${baseOf(sql`s.level`)} - 1) * 0.375 * ${float(ownScore)}`;
  const best = bySide(
    search,
    ({ rule, by }) => sql`(select ${row} from ${statLatest} l
    where ${rule} and l.score >= ${least} and l.time_added >= ${instantSql(search.since)} order by ${by} limit ${rows})`,
  );
  const found = sql`select b.* from ${levelsAndGroups({ ...search, level })} cross join lateral (${best}) b`;
  return pick(
    on,
    search,
    sql`select * from (${ranked(search, found)}) f order by ${byRank} limit ${rows}`,
  );
}

/** @returns a lower bound of the respect of the best `count` targets; 0 if there are fewer */
export async function boundBestRespect(
  on: Queryable,
  search: TargetSearch,
  { count, step }: { count: number; step: number },
): Promise<number> {
  const { level, ownScore } = search;
  const looked = Math.ceil((level.max - level.min + 1) / step);
  const each = Math.ceil(count / Math.min(looked, 8));
  const best = bySide(
    search,
    ({ rule, by }) =>
      sql`(select l.level, l.score from ${statLatest} l where ${rule} order by ${by} limit ${each})`,
  );
  const respect = respectOf(sql`b.level`, sql`b.score`, ownScore);
  const [found] = await on.select({ respect: sql`b.respect`.mapWith(Number) }).from(sql`(
    select ${respect} as respect from ${levelsAndGroups(search, step)} cross join lateral (${best}) b
    order by 1 desc offset ${count - 1} limit 1) b`);
  // Slightly lowered, because converting the bound back to a score rounds.
  return (found?.respect ?? 0) * 0.999999;
}

const levelsOf = ({ min, max }: TargetSearch["level"], step = 1): SQL =>
  sql`generate_series(${max}::int4, ${min}::int4, ${-step}::int4) as s(level)`;

const levelsAndGroups = (search: TargetSearch, step = 1): SQL =>
  sql`${levelsOf(search.level, step)} cross join ${groups(search)}`;

const groups = (search: TargetSearch): SQL =>
  sql`unnest(array[${sql.join(groupsOf(search), sql`, `)}]) as g(visible_to)`;

/** On both sides of the fair-fight cap, the best scores are those nearest to the cap. */
function bySide(
  { scores, ownScore }: TargetSearch,
  one: (side: { rule: SQL; by: SQL }) => SQL,
): SQL {
  const cap = ownScore * 0.75;
  const between = (from: number, below: number): SQL =>
    sql`l.visible_to = g.visible_to and l.level = s.level and l.score >= ${float(from)} and l.score < ${float(below)}`;
  const sides: SQL[] = [];
  if (scores.from < cap || scores.below <= cap)
    sides.push(
      one({ rule: between(scores.from, Math.min(cap, scores.below)), by: sql`l.score desc` }),
    );
  if (scores.below > cap)
    sides.push(one({ rule: between(Math.max(cap, scores.from), scores.below), by: sql`l.score` }));
  return all(sides);
}
