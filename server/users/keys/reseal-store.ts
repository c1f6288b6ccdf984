import { and, asc, eq, gt, inArray, isNotNull, ne, notInArray, or, sql } from "drizzle-orm";
import type { Queryable } from "#db/client";
import { gameKeys } from "#db/schema/accounts";

/** The error of keys whose server secret is lost. */
const lostSecret = "lost-secret";

const sealId = sql`split_part(${gameKeys.sealed}, '.', 1)`;

export interface KeyToReseal {
  readonly id: string;
  readonly accountId: string;
  readonly sealed: string;
  readonly lastFour: string;
  /** Whether it was given up although its secret is in force. */
  readonly wasLost: boolean;
}

/**
 * Keys that a secret in force opens and that are to be stored again: sealed under the previous one, or given up as lost.
 * @param from.keyIds of the secrets in force, the current one first
 * @param from.after the id of the row where the last batch ended
 */
export async function listKeysToReseal(
  on: Queryable,
  from: { readonly keyIds: readonly [string, ...string[]]; readonly after: string; readonly limit: number },
): Promise<KeyToReseal[]> {
  const { id, accountId, lastFour } = gameKeys;
  const wasLost = and(eq(gameKeys.state, "disabled"), eq(gameKeys.lastError, lostSecret));
  return on
    .select({
      id,
      accountId,
      sealed: sql<string>`${gameKeys.sealed}`,
      lastFour,
      wasLost: sql<boolean>`coalesce(${wasLost}, false)`,
    })
    .from(gameKeys)
    .where(and(inArray(sealId, [...from.keyIds]), gt(id, from.after), or(ne(sealId, from.keyIds[0]), wasLost)))
    .orderBy(asc(id))
    .limit(from.limit);
}

/**
 * Stores a key under the current secret, and puts one that was given up back in use.
 * The HMAC stays where the owner has signed in with the same key since: it is that row's.
 * @returns false where the row was changed meanwhile
 */
export async function resealKey(
  on: Queryable,
  key: KeyToReseal,
  to: { readonly sealed: string; readonly keyHmac: string },
): Promise<boolean> {
  const isTaken = sql`exists (select from ${gameKeys} as other where other.fingerprint = ${to.keyHmac})`;
  const stored = await on
    .update(gameKeys)
    .set({
      sealed: to.sealed,
      keyHmac: sql`case when ${isTaken} then ${gameKeys.keyHmac} else ${to.keyHmac} end`,
      ...(key.wasLost && { state: "active" as const, lastError: null }),
    })
    .where(
      and(
        eq(gameKeys.id, key.id),
        eq(gameKeys.sealed, key.sealed),
        key.wasLost ? eq(gameKeys.lastError, lostSecret) : undefined,
      ),
    )
    .returning({ id: gameKeys.id });
  return stored.length > 0;
}

/** Gives up keys that none of the secrets opens. @returns owners and last four characters of those that were in use */
export async function giveUpUnreadable(on: Queryable, keyIds: readonly string[]) {
  return on
    .update(gameKeys)
    .set({ state: "disabled", lastError: lostSecret })
    .where(
      and(
        isNotNull(gameKeys.sealed),
        notInArray(sealId, [...keyIds]),
        ne(gameKeys.state, "dead"),
        sql`${gameKeys.lastError} is distinct from ${lostSecret}`,
      ),
    )
    .returning({ accountId: gameKeys.accountId, lastFour: gameKeys.lastFour });
}
