import { and, asc, eq, gt, inArray, sql } from "drizzle-orm";
import type { Queryable } from "#db/client";
import { gameKeys } from "#db/schema/accounts";
import type { SealedPage, SealedRow } from "#server/server-secret/store";

export async function listKeysToReseal(
  on: Queryable,
  { keyIds: [, ...previous], after, limit }: SealedPage,
): Promise<SealedRow[]> {
  if (previous.length === 0) return [];
  const sealId = sql`split_part(${gameKeys.sealed}, '.', 1)`;
  return on
    .select({ id: gameKeys.id, sealed: sql<string>`${gameKeys.sealed}` })
    .from(gameKeys)
    .where(and(inArray(sealId, previous), gt(gameKeys.id, after)))
    .orderBy(asc(gameKeys.id))
    .limit(limit);
}

/**
 * Keeps the old HMAC if the owner has signed in with the same key since: the new HMAC belongs to
 * that row.
 * @returns false if the row changed meanwhile
 */
export async function resealKey(
  on: Queryable,
  key: SealedRow,
  to: { readonly sealed: string; readonly keyHmac: string },
): Promise<boolean> {
  const isTaken = sql`exists (select from ${gameKeys} as other where other.fingerprint = ${to.keyHmac})`;
  const stored = await on
    .update(gameKeys)
    .set({
      sealed: to.sealed,
      keyHmac: sql`case when ${isTaken} then ${gameKeys.keyHmac} else ${to.keyHmac} end`,
    })
    .where(and(eq(gameKeys.id, key.id), eq(gameKeys.sealed, key.sealed)))
    .returning({ id: gameKeys.id });
  return stored.length > 0;
}
