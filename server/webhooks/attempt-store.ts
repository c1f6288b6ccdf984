import {
  and,
  desc,
  eq,
  getTableColumns,
  gt,
  gte,
  inArray,
  isNotNull,
  lt,
  lte,
  ne,
  sql,
} from "drizzle-orm";
import type { Queryable } from "#db/client";
import { applications } from "#db/schema/oauth";
import { webhookAttempts, webhookDeliveries, webhookEndpoints } from "#db/schema/webhooks";
import type { Sweep } from "#db/sweep";
import { daySeconds } from "#server/platform/time";
import type { Message } from "./delivery-store";

export type AttemptRow = typeof webhookAttempts.$inferSelect;
export type NewAttempt = typeof webhookAttempts.$inferInsert;

export async function insertAttempts(on: Queryable, rows: readonly NewAttempt[]): Promise<void> {
  if (rows.length > 0) await on.insert(webhookAttempts).values([...rows]);
}

export const listAttemptRows = (
  on: Queryable,
  {
    endpointId,
    before: place,
    unsuccessful,
    limit,
  }: {
    readonly endpointId: string;
    readonly before: bigint | undefined;
    readonly unsuccessful: boolean;
    readonly limit: number;
  },
): Promise<AttemptRow[]> =>
  on
    .select({ ...getTableColumns(webhookAttempts), nextAt: webhookDeliveries.nextAt })
    .from(webhookAttempts)
    .leftJoin(
      webhookDeliveries,
      and(
        isNotNull(webhookAttempts.nextAt),
        eq(webhookDeliveries.endpointId, webhookAttempts.endpointId),
        eq(webhookDeliveries.messageId, webhookAttempts.messageId),
        // An earlier attempt was followed by another.
        lte(webhookDeliveries.attempts, webhookAttempts.attempt),
      ),
    )
    .where(
      and(
        eq(webhookAttempts.endpointId, endpointId),
        place === undefined ? undefined : lt(webhookAttempts.id, place),
        unsuccessful
          ? inArray(webhookAttempts.outcome, ["failed", "given-up", "exhausted"])
          : undefined,
      ),
    )
    .orderBy(desc(webhookAttempts.id))
    .limit(limit);

const sent = {
  messageId: webhookAttempts.messageId,
  // Null only for tests, which no query below selects.
  seq: sql<number>`${webhookAttempts.seq}`.mapWith(Number).as("seq"),
  playerId: webhookAttempts.playerId,
  type: webhookAttempts.type,
};

export async function findSentMessage(
  on: Queryable,
  key: { readonly endpointId: string; readonly messageId: string },
): Promise<Message | undefined> {
  const [row] = await on
    .select(sent)
    .from(webhookAttempts)
    .where(
      and(
        eq(webhookAttempts.endpointId, key.endpointId),
        eq(webhookAttempts.messageId, key.messageId),
        isNotNull(webhookAttempts.seq),
      ),
    )
    .limit(1);
  return row;
}

interface UndeliveredQuery {
  readonly endpointId: string;
  readonly since: Date;
  readonly after: number;
  readonly limit: number;
}

function undelivered(on: Queryable, { endpointId, since, after, limit }: UndeliveredQuery) {
  const last = on
    .selectDistinctOn([webhookAttempts.messageId], {
      ...sent,
      outcome: webhookAttempts.outcome,
    })
    .from(webhookAttempts)
    .where(
      and(
        eq(webhookAttempts.endpointId, endpointId),
        gte(webhookAttempts.at, since),
        gt(webhookAttempts.seq, after),
      ),
    )
    .orderBy(webhookAttempts.messageId, desc(webhookAttempts.id))
    .as("last");
  return on
    .select({ messageId: last.messageId, seq: last.seq, playerId: last.playerId, type: last.type })
    .from(last)
    .where(and(ne(last.outcome, "delivered"), ne(last.outcome, "withdrawn")))
    .orderBy(last.seq, last.messageId)
    .limit(limit);
}

export const listUndelivered = async (on: Queryable, of: UndeliveredQuery): Promise<Message[]> =>
  undelivered(on, of);

export const countUndelivered = (on: Queryable, of: UndeliveredQuery): Promise<number> =>
  on.$count(undelivered(on, of).as("undelivered"));

/** Retention of events, so that every listed one can be replayed. */
const attemptDays = 7;

export const webhookSweeps: readonly Sweep[] = [
  {
    table: webhookAttempts,
    column: webhookAttempts.at,
    keep: attemptDays * daySeconds,
    grows: webhookAttempts.id,
  },
  // Nothing is sent for deleted applications, so their secrets are not needed.
  {
    table: webhookEndpoints,
    column: webhookEndpoints.createdAt,
    keep: 0,
    where: sql`${webhookEndpoints.clientId} in (
      select ${applications.clientId} from ${applications} where ${isNotNull(applications.deletedAt)})`,
  },
];
