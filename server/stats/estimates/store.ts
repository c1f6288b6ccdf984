import { and, asc, count, desc, eq, gt, gte, isNotNull, isNull, lt, or, sql } from "drizzle-orm";
import type { Queryable } from "#db/client";
import { players } from "#db/schema/players";
import { estimateModels, personalStats, statEntries, statEstimates } from "#db/schema/stats";

/** The public facts about a player. */
export interface KnownPlayer {
  readonly playerId: number;
  readonly level: number | null;
  readonly signedUp: Date | null;
  readonly counters: Record<string, number | null>;
  /** When the counters were read. */
  readonly statsAt: Date;
}

/** A score that everybody may see, with what is publicly known of its player. */
export interface PublicLabel extends KnownPlayer {
  readonly score: number;
  readonly sigma: number;
  readonly lowerBound: boolean;
  readonly timeAdded: Date;
}

const known = {
  playerId: players.id,
  level: players.level,
  signedUp: players.signedUp,
  counters: personalStats.counters,
  statsAt: personalStats.at,
};

/** Every label is everybody's: what one faction alone may see must not speak through the model to others. */
const isPublicFight = sql`${statEntries.visibleTo} = 0 and ${statEntries.source} = 'fight'`;

/** The newest public counters of a player; undefined where none were ever read. */
export async function findKnownPlayer(
  on: Queryable,
  playerId: number,
): Promise<KnownPlayer | undefined> {
  const [row] = await on
    .select(known)
    .from(personalStats)
    .innerJoin(players, eq(players.id, personalStats.playerId))
    .where(eq(personalStats.playerId, playerId))
    .orderBy(desc(personalStats.day))
    .limit(1);
  return row;
}

/** Of the newest fights some are with players whose counters nobody read. */
const looksPerLabel = 2;

/**
 * What public fights since then told, newest first, of players whose counters are known. The fights are chosen first and each is
 * then looked up by key: the planner would rather read all counters and all fights, which at a million players ends in a time-out.
 */
export async function listPublicLabels(
  on: Queryable,
  since: Date,
  limit: number,
): Promise<PublicLabel[]> {
  const { id, playerId, score, sigma, lowerBound, timeAdded } = statEntries;
  const fights = on
    .select({ id, playerId, score, sigma, lowerBound, timeAdded })
    .from(statEntries)
    .where(and(isPublicFight, gte(timeAdded, since)))
    .orderBy(desc(timeAdded), desc(id))
    .limit(looksPerLabel * limit)
    .as("fights");
  const newest = on
    .select({ counters: personalStats.counters, statsAt: personalStats.at })
    .from(personalStats)
    .where(eq(personalStats.playerId, fights.playerId))
    .orderBy(desc(personalStats.day))
    .limit(1)
    .as("newest");
  const fighter = on
    .select({ level: players.level, signedUp: players.signedUp })
    .from(players)
    .where(eq(players.id, fights.playerId))
    .limit(1)
    .as("fighter");
  return on
    .select({
      ...{
        playerId: fights.playerId,
        score: fights.score,
        sigma: fights.sigma,
        lowerBound: fights.lowerBound,
      },
      ...{ timeAdded: fights.timeAdded, counters: newest.counters, statsAt: newest.statsAt },
      ...{ level: fighter.level, signedUp: fighter.signedUp },
    })
    .from(fights)
    .innerJoinLateral(newest, sql`true`)
    .innerJoinLateral(fighter, sql`true`)
    .orderBy(desc(fights.timeAdded), desc(fights.id))
    .limit(limit);
}

/** How many public fights ended since then. */
export async function countPublicLabels(on: Queryable, since: Date): Promise<number> {
  const [row] = await on
    .select({ labels: count() })
    .from(statEntries)
    .where(and(isPublicFight, gt(statEntries.timeAdded, since)));
  return row?.labels ?? 0;
}

/** As many fights are looked at: a training weighs the newest most, and a table of millions must not be read each minute. */
const fightsLookedAt = 3_000;

/**
 * Players of the newest public fights since then whose counters were not read since `readSince`, and who were not tried since
 * `triedBefore`; the longest untried first.
 */
export async function listUncountedPlayers(
  on: Queryable,
  bounds: {
    readonly since: Date;
    readonly readSince: Date;
    readonly triedBefore: Date;
    readonly limit: number;
  },
): Promise<{ playerId: number; lastAttempt: Date | null }[]> {
  const { since, readSince, triedBefore, limit } = bounds;
  const newest = on
    .select({ playerId: statEntries.playerId })
    .from(statEntries)
    .where(and(isPublicFight, gte(statEntries.timeAdded, since)))
    .orderBy(desc(statEntries.timeAdded), desc(statEntries.id))
    .limit(fightsLookedAt);
  // The offset has each player looked up by id: the planner would rather read all of them.
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

export async function findEstimate(on: Queryable, playerId: number) {
  const [row] = await on.select().from(statEstimates).where(eq(statEstimates.playerId, playerId));
  return row;
}

/** Keeps what a model said. One that rests on newer counters is not overwritten. */
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

/** The model in force, as it was stored. */
export async function findModelInForce(on: Queryable) {
  const [row] = await on
    .select()
    .from(estimateModels)
    .where(eq(estimateModels.inForce, true))
    .limit(1);
  return row;
}

/** The card of the model in force, without the model. */
export async function findCardInForce(on: Queryable): Promise<unknown> {
  const [row] = await on
    .select({ card: estimateModels.card })
    .from(estimateModels)
    .where(and(eq(estimateModels.inForce, true), isNotNull(estimateModels.card)))
    .limit(1);
  return row?.card;
}

/** When a model was last trained, in force or not. */
export async function findLastTraining(on: Queryable): Promise<Date | null> {
  const [row] = await on
    .select({ trainedAt: estimateModels.trainedAt })
    .from(estimateModels)
    .orderBy(desc(estimateModels.trainedAt))
    .limit(1);
  return row?.trainedAt ?? null;
}

/** Stores a model. One in force takes the place of the one before; call it in a transaction. */
export async function insertModel(
  tx: Queryable,
  row: typeof estimateModels.$inferInsert,
): Promise<void> {
  if (row.inForce)
    await tx.update(estimateModels).set({ inForce: false }).where(eq(estimateModels.inForce, true));
  await tx.insert(estimateModels).values(row);
}
