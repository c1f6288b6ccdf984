import { and, eq, inArray, sql } from "drizzle-orm";
import type { Database, Queryable } from "#db/client";
import { gameBudgets } from "#db/schema/operations";

/*
 * A row counts for the minute that it names. Instances may disagree about the minute for an instant: the later one counts, and a
 * row from a future that no clock of ours can be in is begun anew.
 */
const nextMinute = sql`excluded.minute + interval '1 minute'`;
const sameMinute = sql`${gameBudgets.minute} between excluded.minute and ${nextMinute}`;

const spend = (database: Database) =>
  database.statement("spend_call", ({ query }) =>
    query
      .insert(gameBudgets)
      .values({ playerId: sql.placeholder("playerId"), minute: sql.placeholder("minute"), used: 1 })
      .onConflictDoUpdate({
        target: gameBudgets.playerId,
        set: {
          minute: sql`case when ${sameMinute} then ${gameBudgets.minute} else excluded.minute end`,
          used: sql`case when ${sameMinute} then ${gameBudgets.used} + 1 else 1 end`,
        },
        setWhere: sql`not (${sameMinute}) or ${gameBudgets.used} < ${sql.placeholder("limit")}`,
      })
      .returning({ used: gameBudgets.used })
      .prepare("spend_call"),
  );

/**
 * Counts one call of a player in a clock minute, if fewer than `limit` were counted. One statement decides and counts, so that
 * of many processes together no more than `limit` are let through.
 * @returns whether it was counted
 */
export async function countCall(database: Database, call: { playerId: number; minute: Date; limit: number }) {
  return (await spend(database).execute(call)).length > 0;
}

/** Says that the game counted more calls of a player than we know of: nothing is left for this minute. */
export async function fillMinute(on: Queryable, { playerId, minute, used }: typeof gameBudgets.$inferInsert) {
  await on
    .insert(gameBudgets)
    .values({ playerId, minute, used })
    .onConflictDoUpdate({ target: gameBudgets.playerId, set: { minute, used } });
}

/** Calls counted in a clock minute, by player. One without any is left out. */
export async function readMinute(on: Queryable, playerIds: readonly number[], minute: Date) {
  if (playerIds.length === 0) return new Map<number, number>();
  const rows = await on
    .select({ playerId: gameBudgets.playerId, used: gameBudgets.used })
    .from(gameBudgets)
    .where(and(inArray(gameBudgets.playerId, [...playerIds]), eq(gameBudgets.minute, minute)));
  return new Map(rows.map(({ playerId, used }) => [playerId, used]));
}

/** How much was asked of the game in a clock minute: players, calls, and players who have nothing left. */
export async function sumMinute(on: Queryable, minute: Date, full: number) {
  const [row] = await on
    .select({
      players: sql<number>`count(*)::integer`,
      calls: sql<number>`coalesce(sum(${gameBudgets.used}), 0)::integer`,
      spent: sql<number>`(count(*) filter (where ${gameBudgets.used} >= ${full}))::integer`,
    })
    .from(gameBudgets)
    .where(eq(gameBudgets.minute, minute));
  return row ?? { players: 0, calls: 0, spent: 0 };
}
