import { and, eq, isNull } from "drizzle-orm";
import type { Queryable } from "#db/client";
import { consentPeriods } from "#db/schema/events";

/** A paused consent covers nothing. Events are visible by the coverage at their time. */
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
