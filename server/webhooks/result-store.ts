import { eq, inArray, sql } from "drizzle-orm";
import type { Queryable } from "#db/client";
import { webhookDeliveries, webhookEndpoints } from "#db/schema/webhooks";
import { stillClaimed } from "#server/work/leases";
import { type Delivery, deliveryWork } from "./delivery-store";
import type { WebhookEndpoint } from "./endpoint";

/** Fencing: only deliveries with an unchanged claim, locked until the end of the transaction. */
export async function lockClaimed(
  tx: Queryable,
  claims: readonly Delivery[],
): Promise<Set<number>> {
  const rows = await tx
    .select({ id: webhookDeliveries.id })
    .from(webhookDeliveries)
    .where(stillClaimed(deliveryWork, claims))
    .orderBy(webhookDeliveries.id)
    .for("update");
  return new Set(rows.map(({ id }) => id));
}

export async function removeDeliveries(tx: Queryable, ids: readonly number[]): Promise<string[]> {
  if (ids.length === 0) return [];
  const { id, endpointId } = webhookDeliveries;
  const where = inArray(id, [...ids]);
  const rows = await tx.delete(webhookDeliveries).where(where).returning({ endpointId });
  return rows.map((row) => row.endpointId);
}

export async function saveStanding(
  tx: Queryable,
  endpoint: WebhookEndpoint,
  gone: number,
): Promise<void> {
  const { failures, firstFailureAt, lastFailureAt, lastSuccessAt, probeAt, slow } = endpoint;
  const { paceMs, paced, pacedUntil, notice, failedTypes, id } = endpoint;
  await tx
    .update(webhookEndpoints)
    .set({
      ...{ failures, firstFailureAt, lastFailureAt, lastSuccessAt, probeAt, slow },
      ...{ paceMs, paced, pacedUntil, notice, failedTypes: [...failedTypes] },
      waiting: sql`${webhookEndpoints.waiting} - ${gone}`,
    })
    .where(eq(webhookEndpoints.id, id));
}
