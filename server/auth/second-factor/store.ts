import { and, count, eq, gt, inArray, isNotNull, isNull, lt, or } from "drizzle-orm";
import type { Queryable } from "#db/client";
import { accounts, backupCodes, secondFactors, secondSteps } from "#db/schema/accounts";
import type { KeyedHash } from "#server/platform/keyring";
import type { FirstFactor } from "../session-acts";

export interface StoredSecondFactor {
  readonly sealed: string;
  readonly createdAt: Date;
  readonly confirmedAt: Date | null;
}

export interface WaitingStep {
  readonly idHash: string;
  readonly accountId: string;
  readonly playerId: number;
  readonly by: FirstFactor;
}

export async function findSecondFactor(
  on: Queryable,
  accountId: string,
): Promise<StoredSecondFactor | undefined> {
  const { sealed, createdAt, confirmedAt } = secondFactors;
  const [row] = await on
    .select({ sealed, createdAt, confirmedAt })
    .from(secondFactors)
    .where(eq(secondFactors.accountId, accountId));
  return row;
}

/** @returns false if a confirmed secret exists */
export async function putUnconfirmed(
  on: Queryable,
  factor: { readonly accountId: string; readonly sealed: string; readonly createdAt: Date },
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

/** Of concurrent tries one succeeds. */
export async function takeBackupCode(
  on: Queryable,
  used: { readonly accountId: string; readonly hashes: readonly string[]; readonly at: Date },
): Promise<boolean> {
  const { accountId, hashes, at } = used;
  const taken = await on
    .update(backupCodes)
    .set({ usedAt: at })
    .where(
      and(
        eq(backupCodes.accountId, accountId),
        inArray(backupCodes.hash, [...hashes]),
        isNull(backupCodes.usedAt),
      ),
    )
    .returning({ id: backupCodes.id });
  return taken.length > 0;
}

export async function replaceBackupCodes(
  on: Queryable,
  accountId: string,
  codes: readonly { readonly id: string; readonly print: KeyedHash; readonly createdAt: Date }[],
): Promise<void> {
  await on.delete(backupCodes).where(eq(backupCodes.accountId, accountId));
  if (codes.length === 0) return;
  await on.insert(backupCodes).values(
    codes.map(({ id, print, createdAt }) => ({
      id,
      accountId,
      hash: print.hash,
      hashKeyId: print.keyId,
      createdAt,
    })),
  );
}

export async function countBackupCodes(on: Queryable, accountId: string): Promise<number> {
  const [row] = await on
    .select({ left: count() })
    .from(backupCodes)
    .where(and(eq(backupCodes.accountId, accountId), isNull(backupCodes.usedAt)));
  return row?.left ?? 0;
}

export async function deleteSecondFactor(on: Queryable, accountId: string): Promise<boolean> {
  await on.delete(backupCodes).where(eq(backupCodes.accountId, accountId));
  await on.delete(secondSteps).where(eq(secondSteps.accountId, accountId));
  const removed = await on
    .delete(secondFactors)
    .where(eq(secondFactors.accountId, accountId))
    .returning({ confirmedAt: secondFactors.confirmedAt });
  return removed.some(({ confirmedAt }) => confirmedAt !== null);
}

export async function insertSecondStep(
  on: Queryable,
  step: {
    readonly idHash: string;
    readonly accountId: string;
    readonly by: WaitingStep["by"];
    readonly createdAt: Date;
    readonly expiresAt: Date;
  },
): Promise<void> {
  await on.insert(secondSteps).values(step);
}

export async function findSecondStep(
  on: Queryable,
  hashes: readonly string[],
  now: Date,
): Promise<WaitingStep | undefined> {
  const [row] = await on
    .select({
      idHash: secondSteps.idHash,
      accountId: secondSteps.accountId,
      playerId: accounts.playerId,
      by: secondSteps.by,
    })
    .from(secondSteps)
    .innerJoin(accounts, eq(accounts.id, secondSteps.accountId))
    .where(
      and(
        inArray(secondSteps.idHash, [...hashes]),
        isNull(secondSteps.usedAt),
        gt(secondSteps.expiresAt, now),
        isNull(accounts.bannedAt),
      ),
    );
  return row && { ...row, by: row.by as FirstFactor };
}

export async function closeSecondStep(on: Queryable, idHash: string, now: Date): Promise<boolean> {
  const closed = await on
    .update(secondSteps)
    .set({ usedAt: now })
    .where(
      and(
        eq(secondSteps.idHash, idHash),
        isNull(secondSteps.usedAt),
        gt(secondSteps.expiresAt, now),
      ),
    )
    .returning({ idHash: secondSteps.idHash });
  return closed.length > 0;
}
