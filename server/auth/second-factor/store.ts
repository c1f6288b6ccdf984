import { and, eq, isNotNull, isNull, lt, or, type SQL, sql } from "drizzle-orm";
import type { Queryable } from "#db/client";
import { instantSql } from "#db/expressions";
import { accounts, proofs, secondFactorGuesses, secondFactors } from "#db/schema/accounts";
import { secondMs } from "#server/platform/time";
import { deleteProofs, isOpenProof } from "#server/work/proofs";
import type { FirstFactor } from "../session-acts";

export async function findSecondFactor(on: Queryable, accountId: string) {
  const { sealed, confirmedAt } = secondFactors;
  const [row] = await on
    .select({ sealed, confirmedAt })
    .from(secondFactors)
    .where(eq(secondFactors.accountId, accountId));
  return row;
}

/** @returns false if a confirmed secret exists */
export async function putUnconfirmed(
  on: Queryable,
  factor: typeof secondFactors.$inferInsert,
): Promise<boolean> {
  const stored = await on
    .insert(secondFactors)
    .values(factor)
    .onConflictDoUpdate({
      target: secondFactors.accountId,
      set: { sealed: factor.sealed, createdAt: factor.createdAt },
      setWhere: isNull(secondFactors.confirmedAt),
    })
    .returning({ accountId: secondFactors.accountId });
  return stored.length > 0;
}

/** @returns false after a concurrent call, or if the secret was replaced */
export async function confirmFactor(
  on: Queryable,
  factor: {
    readonly accountId: string;
    readonly sealed: string;
    readonly step: number;
    readonly at: Date;
  },
): Promise<boolean> {
  const { accountId, sealed, step, at } = factor;
  const confirmed = await on
    .update(secondFactors)
    .set({ confirmedAt: at, lastStep: step })
    .where(
      and(
        eq(secondFactors.accountId, accountId),
        eq(secondFactors.sealed, sealed),
        isNull(secondFactors.confirmedAt),
      ),
    )
    .returning({ accountId: secondFactors.accountId });
  return confirmed.length > 0;
}

/**
 * The WHERE lets exactly one of several submissions through.
 * @param used `sealed` is under the current server secret
 */
export async function takeTimeStep(
  on: Queryable,
  used: { readonly accountId: string; readonly step: number; readonly sealed: string },
): Promise<boolean> {
  const { accountId, step, sealed } = used;
  const taken = await on
    .update(secondFactors)
    .set({ lastStep: step, sealed })
    .where(
      and(
        eq(secondFactors.accountId, accountId),
        isNotNull(secondFactors.confirmedAt),
        or(isNull(secondFactors.lastStep), lt(secondFactors.lastStep, step)),
      ),
    )
    .returning({ accountId: secondFactors.accountId });
  return taken.length > 0;
}

export async function deleteSecondFactor(on: Queryable, accountId: string): Promise<boolean> {
  await deleteProofs(on, accountId, ["backup-code", "second-step"]);
  const removed = await on
    .delete(secondFactors)
    .where(eq(secondFactors.accountId, accountId))
    .returning({ confirmedAt: secondFactors.confirmedAt });
  return removed.some(({ confirmedAt }) => confirmedAt !== null);
}

export async function findSecondStep(on: Queryable, ids: readonly string[], now: Date) {
  const [row] = await on
    .select({
      id: proofs.id,
      accountId: accounts.id,
      playerId: accounts.playerId,
      details: proofs.details,
    })
    .from(proofs)
    .innerJoin(accounts, eq(accounts.id, proofs.accountId))
    .where(and(isOpenProof({ kind: "second-step", ids, now }), isNull(accounts.bannedAt)));
  return row && { ...row, by: row.details.by as FirstFactor };
}

/** Other codes cannot be right and are not counted. */
export type Guess = Pick<typeof secondFactorGuesses.$inferSelect, "accountId" | "kind">;

export interface GuessLimit {
  readonly most: number;
  readonly seconds: number;
}

const { recent, inARow, told } = secondFactorGuesses;

/** The row serialises the guesses of all instances. @param limits the longest last */
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
