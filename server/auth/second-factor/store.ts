import { and, eq, isNotNull, isNull, lt, or } from "drizzle-orm";
import type { Queryable } from "#db/client";
import { accounts, proofs, secondFactors } from "#db/schema/accounts";
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
 * @param used `sealed` is stored again, under the current server secret
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
