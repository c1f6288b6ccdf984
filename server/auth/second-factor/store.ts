import { and, eq, isNotNull, isNull, lt, or, type SQL, sql } from "drizzle-orm";
import type { Queryable } from "#db/client";
import { instantSql } from "#db/expressions";
import { accounts, proofs, secondFactorGuesses, secondFactors } from "#db/schema/accounts";
import { columnsOf, first, hasRows } from "#db/select";
import { secondMs } from "#server/platform/time";
import { deleteProofs, isOpenProof } from "#server/work/proofs";
import type { FirstFactor } from "../sessions";

const isOf = (accountId: string) => eq(secondFactors.accountId, accountId);
const accountIdOf = columnsOf(secondFactors, ["accountId"]);

export const findSecondFactor = (on: Queryable, accountId: string) =>
  first(
    on
      .select(columnsOf(secondFactors, ["sealed", "confirmedAt"]))
      .from(secondFactors)
      .where(isOf(accountId)),
  );

/** @returns false if a confirmed secret exists */
export const putUnconfirmedFactor = (
  on: Queryable,
  factor: typeof secondFactors.$inferInsert,
): Promise<boolean> =>
  hasRows(
    on
      .insert(secondFactors)
      .values(factor)
      .onConflictDoUpdate({
        target: secondFactors.accountId,
        set: { sealed: factor.sealed, createdAt: factor.createdAt },
        setWhere: isNull(secondFactors.confirmedAt),
      })
      .returning(accountIdOf),
  );

/** @returns false after a concurrent call, or if the secret was replaced */
export const markFactorConfirmed = (
  on: Queryable,
  { accountId, sealed, step, at }: { accountId: string; sealed: string; step: number; at: Date },
): Promise<boolean> =>
  hasRows(
    on
      .update(secondFactors)
      .set({ confirmedAt: at, lastStep: step })
      .where(
        and(isOf(accountId), eq(secondFactors.sealed, sealed), isNull(secondFactors.confirmedAt)),
      )
      .returning(accountIdOf),
  );

/**
 * The WHERE clause lets exactly one of several concurrent submissions through.
 * @param used `sealed` is under the current server secret
 */
export const takeTimeStep = (
  on: Queryable,
  { accountId, step, sealed }: { accountId: string; step: number; sealed: string },
): Promise<boolean> =>
  hasRows(
    on
      .update(secondFactors)
      .set({ lastStep: step, sealed })
      .where(
        and(
          isOf(accountId),
          isNotNull(secondFactors.confirmedAt),
          or(isNull(secondFactors.lastStep), lt(secondFactors.lastStep, step)),
        ),
      )
      .returning(accountIdOf),
  );

/** @returns false unless the deleted factor was confirmed */
export async function deleteSecondFactor(on: Queryable, accountId: string): Promise<boolean> {
  await deleteProofs(on, accountId, ["backup-code", "second-step"]);
  const removed = await first(
    on
      .delete(secondFactors)
      .where(isOf(accountId))
      .returning(columnsOf(secondFactors, ["confirmedAt"])),
  );
  return removed?.confirmedAt != null;
}

export async function findSecondStep(on: Queryable, ids: readonly string[], now: Date) {
  const step = await first(
    on
      .select({
        ...columnsOf(proofs, ["id", "details"]),
        accountId: accounts.id,
        playerId: accounts.playerId,
      })
      .from(proofs)
      .innerJoin(accounts, eq(accounts.id, proofs.accountId))
      .where(and(isOpenProof({ kind: "second-step", ids, now }), isNull(accounts.bannedAt))),
  );
  return step && { ...step, by: step.details.by as FirstFactor };
}

/** Text that has neither form cannot be right and is not counted. */
export type GuessKey = Pick<typeof secondFactorGuesses.$inferSelect, "accountId" | "kind">;

export interface GuessLimit {
  readonly most: number;
  readonly seconds: number;
}

const { recent, inARow, told } = secondFactorGuesses;

/** The row serialises the guesses of all instances. @param limits the longest last */
export function countGuess(
  on: Queryable,
  { accountId, kind }: GuessKey,
  { at, limits }: { at: Date; limits: readonly GuessLimit[] },
): Promise<boolean> {
  const since = (seconds: number) => instantSql(new Date(at.getTime() - seconds * secondMs));
  const longest = limits.at(-1)?.seconds ?? 0;
  const isBelow = limits.map(
    ({ most, seconds }) =>
      sql`(select count(*) from unnest(${recent}) guess where guess > ${since(seconds)}) < ${most}`,
  );
  return hasRows(
    on
      .insert(secondFactorGuesses)
      .values({ accountId, kind, recent: [at], inARow: 1 })
      .onConflictDoUpdate({
        target: [secondFactorGuesses.accountId, secondFactorGuesses.kind],
        set: {
          recent: sql`array(select guess from unnest(${recent}) guess where guess > ${since(longest)} order by guess) || excluded.recent`,
          inARow: sql`${inARow} + 1`,
        },
        setWhere: and(...isBelow),
      })
      .returning({ kind: secondFactorGuesses.kind }),
  );
}

export async function uncountGuess(on: Queryable, guess: GuessKey): Promise<void> {
  await on
    .update(secondFactorGuesses)
    .set({
      recent: sql`${recent}[1:greatest(cardinality(${recent}) - 1, 0)]`,
      inARow: sql`greatest(${inARow} - 1, 0)`,
    })
    .where(isThe(guess));
}

export async function listGuessTimes(on: Queryable, guess: GuessKey): Promise<readonly Date[]> {
  const row = await first(on.select({ recent }).from(secondFactorGuesses).where(isThe(guess)));
  return row?.recent ?? [];
}

export async function forgetGuesses(on: Queryable, accountId: string): Promise<void> {
  await on.delete(secondFactorGuesses).where(eq(secondFactorGuesses.accountId, accountId));
}

/** @returns true for one of several concurrent calls */
export const markGuessesNotified = (
  on: Queryable,
  accountId: string,
  from: number,
): Promise<boolean> =>
  hasRows(
    on
      .update(secondFactorGuesses)
      .set({ told: true })
      .where(
        and(
          eq(secondFactorGuesses.accountId, accountId),
          sql`not ${told}`,
          sql`(select sum(g.in_a_row) from ${secondFactorGuesses} g where g.account_id = ${accountId}) >= ${from}`,
          sql`not exists (select from ${secondFactorGuesses} g where g.account_id = ${accountId} and g.told)`,
        ),
      )
      .returning({ kind: secondFactorGuesses.kind }),
  );

const isThe = ({ accountId, kind }: GuessKey): SQL | undefined =>
  and(eq(secondFactorGuesses.accountId, accountId), eq(secondFactorGuesses.kind, kind));
