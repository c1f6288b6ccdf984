import { and, eq, gt, inArray, isNull, or, type SQL } from "drizzle-orm";
import type { Queryable } from "#db/client";
import { proofs } from "#db/schema/accounts";
import { first } from "#db/select";

export type NewProof = typeof proofs.$inferInsert;
export type Proof = typeof proofs.$inferSelect;
type ProofKind = Proof["kind"];

interface PresentedProof {
  readonly kind: ProofKind;
  /** One id per server secret in force. */
  readonly ids: readonly string[];
  readonly now: Date;
  readonly browserHashes?: readonly string[];
  /** Null matches only proofs without an account. */
  readonly accountId?: string | null;
}

/** @returns how many were stored, because an id is accepted once */
export async function putProofs(on: Queryable, rows: readonly NewProof[]): Promise<number> {
  if (rows.length === 0) return 0;
  const stored = await on
    .insert(proofs)
    .values([...rows])
    .onConflictDoNothing()
    .returning({ id: proofs.id });
  return stored.length;
}

export function isOpenProof({
  kind,
  ids,
  now,
  browserHashes,
  accountId,
}: PresentedProof): SQL | undefined {
  return and(
    eq(proofs.kind, kind),
    inArray(proofs.id, [...ids]),
    isNull(proofs.usedAt),
    or(isNull(proofs.expiresAt), gt(proofs.expiresAt, now)),
    browserHashes && inArray(proofs.browserHash, [...browserHashes]),
    accountId === null ? isNull(proofs.accountId) : undefined,
    accountId ? eq(proofs.accountId, accountId) : undefined,
  );
}

/** The WHERE lets only one of several concurrent uses succeed. */
export const takeProof = (on: Queryable, presented: PresentedProof): Promise<Proof | undefined> =>
  first(on.update(proofs).set({ usedAt: presented.now }).where(isOpenProof(presented)).returning());

const ofKinds = (accountId: string, kinds: readonly ProofKind[]) =>
  and(eq(proofs.accountId, accountId), inArray(proofs.kind, [...kinds]));

export const countUnusedProofs = (
  on: Queryable,
  accountId: string,
  kind: ProofKind,
): Promise<number> => on.$count(proofs, and(ofKinds(accountId, [kind]), isNull(proofs.usedAt)));

export async function deleteProofs(
  on: Queryable,
  accountId: string,
  kinds: readonly ProofKind[],
): Promise<void> {
  await on.delete(proofs).where(ofKinds(accountId, kinds));
}
