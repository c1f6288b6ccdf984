import { and, asc, count, eq, gt, lt, lte, sql } from "drizzle-orm";
import type { Queryable } from "#db/client";
import { createPartition, dropPartition } from "#db/partitions";
import { consentPeriods, eventInbox, eventLog, events } from "#db/schema/events";
import { columnsOf, first } from "#db/select";

type InboxRow = Omit<typeof eventInbox.$inferInsert, "position" | "revision">;

/** PostgreSQL allows 65,535 parameters per statement. */
const rowsAtOnce = 1_000;

/** Must be the last statement of the transaction, to keep the lock short. */
export async function insertEvents(on: Queryable, rows: readonly InboxRow[]): Promise<void> {
  for (let from = 0; from < rows.length; from += rowsAtOnce)
    await on.insert(eventInbox).values(rows.slice(from, from + rowsAtOnce));
}

export interface LogEnd {
  readonly seq: number;
  readonly epoch: number;
}

const isCurrent = eq(eventLog.isOver, false);

export async function readLogEnd(on: Queryable): Promise<LogEnd> {
  const row = await first(
    on
      .select(columnsOf(eventLog, ["seq", "epoch"]))
      .from(eventLog)
      .where(isCurrent),
  );
  if (!row) throw new Error("The log of events has no row that counts it.");
  return row;
}

/** A restart or any kind of restore of PostgreSQL changes this value. */
const thisServer = sql`concat_ws(' ', extract(epoch from pg_postmaster_start_time()), pg_relation_filenode('event_log'),
  (select oid from pg_database where datname = current_database()))`;

/** Begins an epoch if the server has changed. Undefined while another process holds the lock. */
export async function lockLogEnd(tx: Queryable): Promise<LogEnd | undefined> {
  const [row] = await tx
    .select({
      ...columnsOf(eventLog, ["seq", "epoch"]),
      same: sql<boolean | null>`${eventLog.server} = ${thisServer}`,
    })
    .from(eventLog)
    .where(isCurrent)
    .for("update", { skipLocked: true });
  if (!row) return undefined;
  return { seq: row.seq, epoch: row.same ? row.epoch : await beginEpoch(tx, row) };
}

async function beginEpoch(tx: Queryable, { seq }: LogEnd): Promise<number> {
  await tx.update(eventLog).set({ isOver: true }).where(isCurrent);
  const [begun] = await tx
    .insert(eventLog)
    .values({ epoch: sql`1 + floor(random() * 2147483646)::integer`, seq, server: thisServer })
    .returning({ epoch: eventLog.epoch });
  if (!begun) throw new Error("The log of events began no epoch.");
  return begun.epoch;
}

/** The last valid number of an epoch; -1 for an unknown epoch. */
export async function readEpochEnd(on: Queryable, epoch: number, end: LogEnd): Promise<number> {
  if (epoch === end.epoch) return end.seq;
  const { seq, isOver } = eventLog;
  const [row] = await on.select({ seq, isOver }).from(eventLog).where(eq(eventLog.epoch, epoch));
  // An epoch that is not over began after `end` was read.
  if (row) return row.isOver ? row.seq : Number.POSITIVE_INFINITY;
  return -1;
}

const columns = sql.raw(
  "id, type, scope, at, revision, subject, faction_id, player_id, client_id, grant_id, data",
);

/**
 * The log must be locked, so that no event gets a number below a readable one.
 * @returns how many events moved
 */
export async function moveToLog(tx: Queryable, { seq }: LogEnd, limit: number): Promise<number> {
  const taken = tx.$with("taken", {}).as(sql`
    delete from ${eventInbox}
    where position = any(array(select position from ${eventInbox} order by position limit ${limit}))
    returning *`);
  const numbered = tx.$with("numbered", { one: sql<number>`one`.as("one") }).as(sql`
    insert into ${events} (seq, ${columns})
    select ${seq}::bigint + row_number() over (order by position), ${columns} from taken
    returning 1 as one`);
  const [row] = await tx.with(taken, numbered).select({ moved: count() }).from(numbered);
  const moved = row?.moved ?? 0;
  if (moved > 0)
    await tx
      .update(eventLog)
      .set({ seq: seq + moved })
      .where(isCurrent);
  return moved;
}

export type LoggedEvent = typeof events.$inferSelect;

/** `after` is exclusive, `until` inclusive. */
export interface Stretch {
  readonly after: number;
  readonly until: number;
}

export const readLog = (
  on: Queryable,
  { after, until }: Stretch,
  limit: number,
): Promise<LoggedEvent[]> =>
  on
    .select()
    .from(events)
    .where(and(gt(events.seq, after), lte(events.seq, until)))
    .orderBy(asc(events.seq))
    .limit(limit);

export const readEventsBySeq = (on: Queryable, seqs: readonly number[]): Promise<LoggedEvent[]> =>
  on
    .select()
    .from(events)
    .where(sql`${events.seq} = any(string_to_array(${seqs.join(",")}, ',')::bigint[])`)
    .orderBy(asc(events.seq));

/** @returns the number after which events happened at this instant or later */
export async function readSeqBefore(on: Queryable, since: Date, end: LogEnd): Promise<number> {
  // Event times almost follow the numbers, so a binary search finds the place.
  const [ends] = await on
    .select({
      low: sql<number | null>`min(seq)`.mapWith(Number),
      high: sql<number | null>`max(seq)`.mapWith(Number),
    })
    .from(events);
  if (!ends?.low || !ends.high) return end.seq;
  let [low, high] = [ends.low, ends.high + 1];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const [row] = await on
      .select({ at: events.at })
      .from(events)
      .where(lte(events.seq, middle))
      .orderBy(sql`${events.seq} desc`)
      .limit(1);
    if (row && row.at < since) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

export async function readInboxBacklog(
  on: Queryable,
  most: number,
): Promise<{ events: number; oldest: Date | null }> {
  const some = on.select({ position: eventInbox.position }).from(eventInbox).limit(most).as("some");
  const [[counted], [first]] = await Promise.all([
    on.select({ events: count() }).from(some),
    on.select({ at: eventInbox.at }).from(eventInbox).orderBy(asc(eventInbox.position)).limit(1),
  ]);
  return { events: counted?.events ?? 0, oldest: first?.at ?? null };
}

export const partitionSize = 500_000;

const partitionName = (number: number): string => `events_${number}`;

export async function ensurePartition(tx: Queryable, seq: number): Promise<void> {
  const number = Math.floor(seq / partitionSize);
  const [from, to] = [number * partitionSize, (number + 1) * partitionSize].map(String) as [
    string,
    string,
  ];
  await createPartition(tx, events, { name: partitionName(number), from, to });
}

export async function dropPartitions(
  tx: Queryable,
  { seq }: LogEnd,
  before: Date,
): Promise<number> {
  let dropped = 0;
  const oldest = await first(oldestSeq(tx));
  if (!oldest) return 0;
  const current = Math.floor(seq / partitionSize);
  for (let number = Math.floor(oldest.seq / partitionSize); number < current; number++) {
    const [last] = await tx
      .select({ at: events.at })
      .from(events)
      .where(eq(events.seq, (number + 1) * partitionSize - 1));
    if (!last || last.at >= before) break;
    await dropPartition(tx, partitionName(number));
    dropped += 1;
  }
  return dropped;
}

export async function deleteConsentPeriods(on: Queryable, before: Date): Promise<number> {
  const gone = await on
    .delete(consentPeriods)
    .where(lt(consentPeriods.ended, before))
    .returning({ id: consentPeriods.id });
  return gone.length;
}

const oldestSeq = (on: Queryable) =>
  on.select({ seq: events.seq }).from(events).orderBy(asc(events.seq)).limit(1);

export async function deletePastEpochs(on: Queryable): Promise<number> {
  const gone = await on
    .delete(eventLog)
    .where(and(eq(eventLog.isOver, true), lt(eventLog.seq, sql`(${oldestSeq(on)}) - 1`)))
    .returning({ epoch: eventLog.epoch });
  return gone.length;
}
