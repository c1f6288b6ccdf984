import { and, eq, gte, isNull, notExists, type SQL, sql } from "drizzle-orm";
import type { Queryable } from "#db/client";
import { consentPeriods } from "#db/schema/events";
import { consents } from "#db/schema/oauth";

/**
 * Notes what a live consent covered since its last change, where that is not noted: while instances of a release without periods still
 * run, they change consents too. Call it before a change.
 */
export async function addMissingPeriod(
  tx: Queryable,
  which: SQL | undefined,
  ended: Date,
): Promise<void> {
  const { id, updatedAt, scopes, revokedAt, pausedAt } = consents;
  const noted = tx
    .select({ one: sql`1` })
    .from(consentPeriods)
    .where(and(eq(consentPeriods.consentId, id), gte(consentPeriods.began, updatedAt)));
  const missing = await tx
    .select({ consentId: id, began: updatedAt, scopes })
    .from(consents)
    .where(and(which, isNull(revokedAt), isNull(pausedAt), notExists(noted)));
  if (missing.length > 0)
    await tx.insert(consentPeriods).values(missing.map((period) => ({ ...period, ended })));
}

/**
 * Notes what a consent covers from now on; nothing while it is paused. Events are told of the time at which they happened, so that
 * what was covered is remembered for as long as they are kept.
 */
export async function beginPeriod(
  tx: Queryable,
  { id, scopes }: { id: string; scopes: string[] },
  at: Date,
): Promise<void> {
  const { consentId, ended } = consentPeriods;
  await tx
    .update(consentPeriods)
    .set({ ended: at })
    .where(and(eq(consentId, id), isNull(ended)));
  if (scopes.length > 0)
    await tx.insert(consentPeriods).values({ consentId: id, began: at, scopes });
}
