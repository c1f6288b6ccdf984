import { and, desc, eq, gt, gte, inArray, isNotNull, lt, ne, sql } from "drizzle-orm";
import type { Queryable } from "#db/client";
import { applications } from "#db/schema/oauth";
import { webhookDeliveries, webhookEndpoints } from "#db/schema/webhooks";
import type { Sweep } from "#db/sweep";
import { daySeconds } from "#server/platform/time";

export type DeliveryRow = typeof webhookDeliveries.$inferSelect;
export type NewDelivery = typeof webhookDeliveries.$inferInsert;

export async function insertDeliveries(on: Queryable, rows: readonly NewDelivery[]): Promise<void> {
  if (rows.length > 0) await on.insert(webhookDeliveries).values([...rows]);
}

/** Attempts at an endpoint, newest first, from a place on. */
export const listDeliveryRows = (
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
): Promise<DeliveryRow[]> =>
  on
    .select()
    .from(webhookDeliveries)
    .where(
      and(
        eq(webhookDeliveries.endpointId, endpointId),
        place === undefined ? undefined : lt(webhookDeliveries.id, place),
        unsuccessful
          ? inArray(webhookDeliveries.outcome, ["failed", "given-up", "exhausted"])
          : undefined,
      ),
    )
    .orderBy(desc(webhookDeliveries.id))
    .limit(limit);

/** The message that an attempt was about. */
export interface SentMessage {
  readonly messageId: string;
  readonly seq: number;
  readonly playerId: number | null;
  readonly type: string;
}

const sent = {
  messageId: webhookDeliveries.messageId,
  seq: webhookDeliveries.seq,
  playerId: webhookDeliveries.playerId,
  type: webhookDeliveries.type,
};
const inLog = ({
  seq,
  ...row
}: Omit<SentMessage, "seq"> & { seq: number | null }): SentMessage[] =>
  seq === null ? [] : [{ ...row, seq }];

/** The event of the log that was sent to an endpoint under this id. */
export async function findSentMessage(
  on: Queryable,
  key: { readonly endpointId: string; readonly messageId: string },
): Promise<SentMessage | undefined> {
  const [row] = await on
    .select(sent)
    .from(webhookDeliveries)
    .where(
      and(
        eq(webhookDeliveries.endpointId, key.endpointId),
        eq(webhookDeliveries.messageId, key.messageId),
        isNotNull(webhookDeliveries.seq),
      ),
    )
    .limit(1);
  return row && inLog(row)[0];
}

interface UndeliveredQuery {
  readonly endpointId: string;
  readonly since: Date;
  /** Those of later numbers of the log. */
  readonly after: number;
  readonly limit: number;
}

/** Events by the last attempt of each, where it was not delivered. */
function undelivered(on: Queryable, { endpointId, since, after, limit }: UndeliveredQuery) {
  const last = on
    .selectDistinctOn([webhookDeliveries.messageId], {
      ...sent,
      outcome: webhookDeliveries.outcome,
    })
    .from(webhookDeliveries)
    .where(
      and(
        eq(webhookDeliveries.endpointId, endpointId),
        gte(webhookDeliveries.at, since),
        gt(webhookDeliveries.seq, after),
      ),
    )
    .orderBy(webhookDeliveries.messageId, desc(webhookDeliveries.id))
    .as("last");
  return on
    .select({ messageId: last.messageId, seq: last.seq, playerId: last.playerId, type: last.type })
    .from(last)
    .where(and(ne(last.outcome, "delivered"), ne(last.outcome, "withdrawn")))
    .orderBy(last.seq, last.messageId)
    .limit(limit);
}

/** The events that were tried since a moment and not delivered, oldest first. */
export const listUndelivered = async (
  on: Queryable,
  of: UndeliveredQuery,
): Promise<SentMessage[]> => (await undelivered(on, of)).flatMap(inLog);

/** How many there are, of `limit` at most. */
export const countUndelivered = (on: Queryable, of: UndeliveredQuery): Promise<number> =>
  on.$count(undelivered(on, of).as("undelivered"));

/** As long as events are kept: a developer can replay what is listed. */
const deliveryDays = 7;

export const webhookSweeps: readonly Sweep[] = [
  {
    table: webhookDeliveries,
    column: webhookDeliveries.at,
    keep: deliveryDays * daySeconds,
    grows: webhookDeliveries.id,
  },
  // Endpoints of deleted applications: nothing is sent there, and nobody needs their secrets.
  {
    table: webhookEndpoints,
    column: webhookEndpoints.createdAt,
    keep: 0,
    where: sql`${webhookEndpoints.clientId} in (
      select ${applications.clientId} from ${applications} where ${isNotNull(applications.deletedAt)})`,
  },
];
