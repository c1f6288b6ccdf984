import { and, asc, count, desc, eq, gt, gte, isNull, lt, or, sql } from "drizzle-orm";
import type { Queryable } from "#db/client";
import { findNewestTime } from "#db/expressions";
import { players } from "#db/schema/players";
import { estimateModels, personalStats, statEntries, statEstimates } from "#db/schema/stats";
import { columnsOf, first } from "#db/select";

const newestCounters = { counters: personalStats.counters, statsAt: personalStats.at };

/** Training uses public scores only, because private scores must not leak through the model. */
const isPublicFight = sql`${statEntries.visibleTo} = 0 and ${statEntries.source} = 'fight'`;

export type PlayerCounters = NonNullable<Awaited<ReturnType<typeof findPlayerCounters>>>;

export const findPlayerCounters = (on: Queryable, playerId: number) =>
  first(
    on
      .select({
        playerId: players.id,
        ...columnsOf(players, ["level", "signedUp"]),
        ...newestCounters,
      })
      .from(personalStats)
      .innerJoin(players, eq(players.id, personalStats.playerId))
      .where(eq(personalStats.playerId, playerId))
      .orderBy(desc(personalStats.day))
      .limit(1),
  );

const looksPerLabel = 2;

export type PublicLabel = Awaited<ReturnType<typeof listPublicLabels>>[number];

/** Each player is looked up separately, because a plain join reads all counters and times out. */
export async function listPublicLabels(on: Queryable, since: Date, limit: number) {
  const { id, timeAdded } = statEntries;
  const fights = on
    .select(columnsOf(statEntries, ["id", "playerId", "score", "sigma", "lowerBound", "timeAdded"]))
    .from(statEntries)
    .where(and(isPublicFight, gte(timeAdded, since)))
    .orderBy(desc(timeAdded), desc(id))
    .limit(looksPerLabel * limit)
    .as("fights");
  const newest = on
    .select(newestCounters)
    .from(personalStats)
    .where(eq(personalStats.playerId, fights.playerId))
    .orderBy(desc(personalStats.day))
    .limit(1)
    .as("newest");
  const fighter = on
    .select(columnsOf(players, ["level", "signedUp"]))
    .from(players)
    .where(eq(players.id, fights.playerId))
    .limit(1)
    .as("fighter");
  return on
    .select({
      playerId: fights.playerId,
      score: fights.score,
      sigma: fights.sigma,
      lowerBound: fights.lowerBound,
      timeAdded: fights.timeAdded,
      counters: newest.counters,
      statsAt: newest.statsAt,
      level: fighter.level,
      signedUp: fighter.signedUp,
    })
    .from(fights)
    .innerJoinLateral(newest, sql`true`)
    .innerJoinLateral(fighter, sql`true`)
    .orderBy(desc(fights.timeAdded), desc(fights.id))
    .limit(limit);
}

export async function countPublicLabels(on: Queryable, since: Date): Promise<number> {
  const [row] = await on
    .select({ labels: count() })
    .from(statEntries)
    .where(and(isPublicFight, gt(statEntries.timeAdded, since)));
  return row?.labels ?? 0;
}

/** Bounds the scan of millions of rows. */
const fightsLookedAt = 3_000;

export async function listOpponentsToRead(
  on: Queryable,
  bounds: {
    readonly since: Date;
    readonly readSince: Date;
    readonly triedBefore: Date;
    readonly limit: number;
  },
) {
  const { since, readSince, triedBefore, limit } = bounds;
  const newest = on
    .select({ playerId: statEntries.playerId })
    .from(statEntries)
    .where(and(isPublicFight, gte(statEntries.timeAdded, since)))
    .orderBy(desc(statEntries.timeAdded), desc(statEntries.id))
    .limit(fightsLookedAt);
  // OFFSET forces lookups by id; the planner would otherwise read all players.
  const fought = sql`(select distinct player_id from (${newest}) as newest) as fought cross join lateral
    (select * from ${players} where ${players.id} = fought.player_id offset 0) as ${players}`;
  const read = on
    .select({ one: sql`1` })
    .from(personalStats)
    .where(and(eq(personalStats.playerId, players.id), gte(personalStats.at, readSince)));
  return on
    .select({
      playerId: sql`${players.id}`.mapWith(players.id),
      lastAttempt: sql<Date | null>`${players.lastAttempt}`.mapWith(players.lastAttempt),
    })
    .from(fought)
    .where(
      and(
        sql`not exists (${read} offset 0)`,
        or(isNull(players.lastAttempt), lt(players.lastAttempt, triedBefore)),
      ),
    )
    .orderBy(sql`${players.lastAttempt} asc nulls first`, asc(players.id))
    .limit(limit);
}

export const findEstimate = (on: Queryable, playerId: number) =>
  first(on.select().from(statEstimates).where(eq(statEstimates.playerId, playerId)));

export async function saveEstimate(
  on: Queryable,
  row: typeof statEstimates.$inferInsert,
): Promise<void> {
  await on
    .insert(statEstimates)
    .values(row)
    .onConflictDoUpdate({
      target: statEstimates.playerId,
      set: row,
      setWhere: sql`${statEstimates.statsAt} <= excluded.stats_at`,
    });
}

export const findModelInForce = (on: Queryable) =>
  first(on.select().from(estimateModels).where(eq(estimateModels.inForce, true)).limit(1));

export const findLastTraining = (on: Queryable) => findNewestTime(on, estimateModels.trainedAt);

/** Call it in a transaction, because it may replace the model in force. */
export async function insertModel(
  tx: Queryable,
  row: typeof estimateModels.$inferInsert,
): Promise<void> {
  if (row.inForce)
    await tx.update(estimateModels).set({ inForce: false }).where(eq(estimateModels.inForce, true));
  await tx.insert(estimateModels).values(row);
}
