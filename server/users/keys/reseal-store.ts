import { and, asc, eq, gt, inArray, isNotNull, ne, notInArray, type SQL, sql } from "drizzle-orm";
import type { Queryable } from "#db/client";
import { gameKeys } from "#db/schema/accounts";
import type { SealedPage, SealedRow } from "#server/server-secret/reseal-all";

/** The error of keys whose server secret is lost. */
const lostSecret = "lost-secret";

const sealId = sql`split_part(${gameKeys.sealed}, '.', 1)`;
const wasLost = sql`coalesce(${and(eq(gameKeys.state, "disabled"), eq(gameKeys.lastError, lostSecret))}, false)`;

/** Keys in use or at rest that the previous secret sealed. */
export const listKeysToReseal = (on: Queryable, page: SealedPage): Promise<SealedRow[]> =>
  listSealed(on, page, sql`not ${wasLost} and ${ne(sealId, page.keyIds[0])}`);

/** Keys that were given up as lost although a secret in force opens them. */
export const listLostKeys = (on: Queryable, page: SealedPage): Promise<SealedRow[]> =>
  listSealed(on, page, wasLost);

const listSealed = (
  on: Queryable,
  { keyIds, after, limit }: SealedPage,
  where: SQL,
): Promise<SealedRow[]> =>
  on
    .select({ id: gameKeys.id, sealed: sql<string>`${gameKeys.sealed}` })
    .from(gameKeys)
    .where(and(inArray(sealId, [...keyIds]), gt(gameKeys.id, after), where))
    .orderBy(asc(gameKeys.id))
    .limit(limit);

/**
 * Stores a key under the current secret, and puts one that was given up back in use.
 * The HMAC stays where the owner has signed in with the same key since: it is that row's.
 * @returns its owner and last four characters, or undefined where the row was changed meanwhile
 */
export async function resealKey(
  on: Queryable,
  key: SealedRow,
  to: { readonly sealed: string; readonly keyHmac: string; readonly restored?: true },
): Promise<{ accountId: string; lastFour: string } | undefined> {
  const isTaken = sql`exists (select from ${gameKeys} as other where other.fingerprint = ${to.keyHmac})`;
  const [stored] = await on
    .update(gameKeys)
    .set({
      sealed: to.sealed,
      keyHmac: sql`case when ${isTaken} then ${gameKeys.keyHmac} else ${to.keyHmac} end`,
      ...(to.restored && { state: "active" as const, lastError: null }),
    })
    .where(
      and(
        eq(gameKeys.id, key.id),
        eq(gameKeys.sealed, key.sealed),
        to.restored ? eq(gameKeys.lastError, lostSecret) : undefined,
      ),
    )
    .returning({ accountId: gameKeys.accountId, lastFour: gameKeys.lastFour });
  return stored;
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
