import type { Queryable } from "#db/client";
import { auditLog } from "#db/schema/operations";
import type { AuditEvent } from "./audit";

/** Appends an event. In a transaction it stands or falls with the act that it tells of. */
export async function appendAuditEvent(on: Queryable, event: AuditEvent, at: Date): Promise<void> {
  await on.insert(auditLog).values({
    at,
    act: event.act,
    actor: event.actor,
    accountId: event.accountId ?? null,
    clientId: event.clientId ?? null,
    requestId: event.origin?.requestId ?? null,
    address: event.origin?.address ?? null,
    details: event.details ?? {},
  });
}
