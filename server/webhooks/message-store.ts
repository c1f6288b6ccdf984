import { and, asc, count, eq, gt, inArray, lte, sql } from "drizzle-orm";
import type { Queryable } from "#db/client";
import { webhookMessages } from "#db/schema/webhooks";

/** A message that waits in a row of its own. */
export type StoredMessage = typeof webhookMessages.$inferSelect;

/** Messages of an endpoint that are due, in the order of the log. */
export const listDueMessages = (
  on: Queryable,
  {
    endpointId,
    now,
    limit,
  }: { readonly endpointId: string; readonly now: Date; readonly limit: number },
): Promise<StoredMessage[]> =>
  on
    .select()
    .from(webhookMessages)
    .where(and(eq(webhookMessages.endpointId, endpointId), lte(webhookMessages.nextAt, now)))
    .orderBy(asc(webhookMessages.seq), asc(webhookMessages.messageId))
    .limit(limit);

/** The oldest message of an endpoint, due or not. */
export async function findOldestMessage(
  on: Queryable,
  endpointId: string,
): Promise<StoredMessage | undefined> {
  const [row] = await on
    .select()
    .from(webhookMessages)
    .where(eq(webhookMessages.endpointId, endpointId))
    .orderBy(asc(webhookMessages.seq), asc(webhookMessages.messageId))
    .limit(1);
  return row;
}

/** Which messages of a stretch of the log have rows of their own. */
export async function listStoredIds(
  on: Queryable,
  of: { readonly endpointId: string; readonly after: number; readonly until: number },
): Promise<Set<string>> {
  const { endpointId, seq, messageId } = webhookMessages;
  const rows = await on
    .select({ messageId })
    .from(webhookMessages)
    .where(and(eq(endpointId, of.endpointId), gt(seq, of.after), lte(seq, of.until)));
  return new Set(rows.map((row) => row.messageId));
}

/** Puts messages that failed where they wait for their next attempt. */
export async function saveMessages(on: Queryable, rows: readonly StoredMessage[]): Promise<void> {
  if (rows.length === 0) return;
  await on
    .insert(webhookMessages)
    .values([...rows])
    .onConflictDoUpdate({
      target: [webhookMessages.endpointId, webhookMessages.messageId],
      set: {
        body: sql`excluded.body`,
        attempts: sql`excluded.attempts`,
        firstAttemptAt: sql`excluded.first_attempt_at`,
        nextAt: sql`excluded.next_at`,
      },
    });
}

/** Removes messages that wait no longer. */
export async function deleteStored(
  on: Queryable,
  endpointId: string,
  messageIds: readonly string[],
): Promise<void> {
  if (messageIds.length === 0) return;
  await on
    .delete(webhookMessages)
    .where(
      and(
        eq(webhookMessages.endpointId, endpointId),
        inArray(webhookMessages.messageId, [...messageIds]),
      ),
    );
}

/** How many messages of each endpoint wait in rows of their own. */
export async function countMessages(
  on: Queryable,
  endpointIds: readonly string[],
): Promise<Map<string, number>> {
  if (endpointIds.length === 0) return new Map();
  const rows = await on
    .select({ endpointId: webhookMessages.endpointId, rows: count() })
    .from(webhookMessages)
    .where(inArray(webhookMessages.endpointId, [...endpointIds]))
    .groupBy(webhookMessages.endpointId);
  return new Map(rows.map((row) => [row.endpointId, row.rows]));
}

/** Removes what waits in rows of its own. */
export async function deleteMessages(on: Queryable, endpointId: string): Promise<void> {
  await on.delete(webhookMessages).where(eq(webhookMessages.endpointId, endpointId));
}

/** Messages that are to be sent as soon as may be; one that waits already waits no longer. */
export async function queueMessages(
  on: Queryable,
  rows: readonly (typeof webhookMessages.$inferInsert)[],
): Promise<void> {
  if (rows.length === 0) return;
  await on
    .insert(webhookMessages)
    .values([...rows])
    .onConflictDoUpdate({
      target: [webhookMessages.endpointId, webhookMessages.messageId],
      set: { nextAt: sql`excluded.next_at` },
    });
}
