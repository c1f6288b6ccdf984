import { and, eq, type SQL, sql } from "drizzle-orm";
import type { Queryable } from "#db/client";
import { instantSql } from "#db/request-time";
import { secondFactorGuesses } from "#db/schema/accounts";
import { secondMs } from "#server/platform/time";

/** Other codes cannot be right and are not counted. */
export type GuessKind = "totp" | "backup-code";

export interface Guess {
  readonly accountId: string;
  readonly kind: GuessKind;
}

export interface GuessLimit {
  readonly most: number;
  readonly seconds: number;
}

const { recent, inARow, told } = secondFactorGuesses;

/**
 * Counted before the check: the row serialises the guesses of all instances.
 * @param limits the longest last
 * @returns true if the guess may be checked
 */
export async function countGuess(
  on: Queryable,
  { accountId, kind }: Guess,
  { at, limits }: { readonly at: Date; readonly limits: readonly GuessLimit[] },
): Promise<boolean> {
  const longest = limits.at(-1)?.seconds ?? 0;
  const counted = await on
    .insert(secondFactorGuesses)
    .values({ accountId, kind, recent: [at], inARow: 1 })
    .onConflictDoUpdate({
      target: [secondFactorGuesses.accountId, secondFactorGuesses.kind],
      set: {
        recent: sql`array(select guess from unnest(${recent}) guess where guess > ${before(at, longest)} order by guess) || excluded.recent`,
        inARow: sql`${inARow} + 1`,
      },
      setWhere: and(
        ...limits.map(({ most, seconds }) => sql`${guessesSince(before(at, seconds))} < ${most}`),
      ),
    })
    .returning({ accountId: secondFactorGuesses.accountId });
  return counted.length > 0;
}

export async function uncountGuess(on: Queryable, guess: Guess): Promise<void> {
  await on
    .update(secondFactorGuesses)
    .set({
      recent: sql`${recent}[1:greatest(cardinality(${recent}) - 1, 0)]`,
      inARow: sql`greatest(${inARow} - 1, 0)`,
    })
    .where(isOf(guess));
}

export async function findGuesses(on: Queryable, guess: Guess): Promise<readonly Date[]> {
  const [row] = await on.select({ recent }).from(secondFactorGuesses).where(isOf(guess));
  return row?.recent ?? [];
}

export async function forgetGuesses(on: Queryable, accountId: string): Promise<void> {
  await on.delete(secondFactorGuesses).where(eq(secondFactorGuesses.accountId, accountId));
}

/** Of concurrent calls one gets true. */
export async function markNotified(
  on: Queryable,
  accountId: string,
  from: number,
): Promise<boolean> {
  const own = sql`${secondFactorGuesses.accountId} = ${accountId}`;
  const marked = await on
    .update(secondFactorGuesses)
    .set({ told: true })
    .where(
      and(
        own,
        sql`not ${told}`,
        sql`(select sum(g.in_a_row) from ${secondFactorGuesses} g where g.account_id = ${accountId}) >= ${from}`,
        sql`not exists (select from ${secondFactorGuesses} g where g.account_id = ${accountId} and g.told)`,
      ),
    )
    .returning({ accountId: secondFactorGuesses.accountId });
  return marked.length > 0;
}

const isOf = ({ accountId, kind }: Guess): SQL | undefined =>
  and(eq(secondFactorGuesses.accountId, accountId), eq(secondFactorGuesses.kind, kind));

const before = (at: Date, seconds: number): SQL =>
  instantSql(new Date(at.getTime() - seconds * secondMs));

const guessesSince = (since: SQL): SQL =>
  sql`(select count(*) from unnest(${recent}) guess where guess > ${since})`;
