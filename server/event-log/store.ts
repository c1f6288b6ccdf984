import { and, asc, count, eq, gt, lt, lte, sql } from "drizzle-orm";
import type { Queryable } from "#db/client";
import { createPartition, dropPartition } from "#db/partitions";
import { consentPeriods, eventEpochs, eventInbox, eventLog, events } from "#db/schema/events";

/** An event as it is inserted; its revision is the database's. */
export type InboxRow = Omit<typeof eventInbox.$inferInsert, "position" | "revision">;

/** A statement has room for 65,535 values. */
const rowsAtOnce = 1_000;

/** Puts events into the inbox, in the caller's transaction. Let it be its last statement, so that the log is not locked for long. */
export async function insertEvents(on: Queryable, rows: readonly InboxRow[]): Promise<void> {
  for (let from = 0; from < rows.length; from += rowsAtOnce)
    await on.insert(eventInbox).values(rows.slice(from, from + rowsAtOnce));
}

/** How far the log goes. */
export interface LogEnd {
  readonly seq: number;
  readonly epoch: number;
}

export async function findLogEnd(on: Queryable): Promise<LogEnd> {
  const [row] = await on.select({ seq: eventLog.seq, epoch: eventLog.epoch }).from(eventLog);
  if (!row) throw new Error("The log of events has no row that counts it.");
  return row;
}

/** The run of PostgreSQL, the database and the file of the table. A restart changes it; so does a backup, however it was restored. */
const thisServer = sql`concat_ws(' ', extract(epoch from pg_postmaster_start_time()), pg_relation_filenode('event_log'),
  (select oid from pg_database where datname = current_database()))`;

/** The end of the log, held until the end of the transaction, in an epoch of this server; undefined while somebody else holds it. */
export async function lockLogEnd(tx: Queryable): Promise<LogEnd | undefined> {
  const [row] = await tx
    .select({
      seq: eventLog.seq,
      epoch: eventLog.epoch,
      same: sql<boolean | null>`${eventLog.server} = ${thisServer}`,
    })
    .from(eventLog)
    .for("update", { skipLocked: true });
  if (!row) return undefined;
  return { seq: row.seq, epoch: row.same ? row.epoch : await beginEpoch(tx, row) };
}

async function beginEpoch(tx: Queryable, end: LogEnd): Promise<number> {
  await tx.update(eventEpochs).set({ until: end.seq }).where(eq(eventEpochs.epoch, end.epoch));
  const [begun] = await tx
    .insert(eventEpochs)
    .values({ epoch: sql`1 + floor(random() * 2147483646)::integer` })
    .returning({ epoch: eventEpochs.epoch });
  if (!begun) throw new Error("The log of events began no epoch.");
  await tx.update(eventLog).set({ epoch: begun.epoch, server: thisServer });
  return begun.epoch;
}

/** The last number of an epoch that is still on the log, which ends here; -1 for an epoch that the database does not know. */
export async function findKept(on: Queryable, epoch: number, end: LogEnd): Promise<number> {
  if (epoch === end.epoch) return end.seq;
  const [row] = await on
    .select({ until: eventEpochs.until })
    .from(eventEpochs)
    .where(eq(eventEpochs.epoch, epoch));
  // One that lasts began after the end was read.
  return row ? (row.until ?? Number.POSITIVE_INFINITY) : -1;
}

const columns = sql.raw(
  "id, type, scope, at, revision, subject, faction_id, player_id, client_id, grant_id, data",
);

/**
 * Moves the oldest events of the inbox to the end of the log, which the transaction holds. What is in the inbox has committed, so that
 * no event is ever given a lower number than one that could be read before it.
 * @returns how many
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
  if (moved > 0) await tx.update(eventLog).set({ seq: seq + moved });
  return moved;
}

/** An event as the log holds it. */
export type LoggedEvent = typeof events.$inferSelect;

/** Numbers of the log: after the first, up to the second. */
export interface Stretch {
  readonly after: number;
  readonly until: number;
}

/** Events of a stretch, in order. */
export const listLogged = (
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

/** The events that have these numbers and are still kept. */
export const listLoggedAt = (on: Queryable, seqs: readonly number[]): Promise<LoggedEvent[]> =>
  on
    .select()
    .from(events)
    .where(sql`${events.seq} = any(string_to_array(${seqs.join(",")}, ',')::bigint[])`)
    .orderBy(asc(events.seq));

/** The number before the first event that happened at an instant or later; undefined where there is none. */
export async function findSeqBefore(on: Queryable, since: Date): Promise<number | undefined> {
  // Times follow the numbers but for moments, so that the first page which is young enough is found by halving.
  const [ends] = await on
    .select({
      low: sql<number | null>`min(seq)`.mapWith(Number),
      high: sql<number | null>`max(seq)`.mapWith(Number),
    })
    .from(events);
  if (!ends || ends.low === null || ends.high === null || ends.high === 0) return undefined;
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

/** How many events wait in the inbox, counted up to `most`, and when the first of them happened. */
export async function countInbox(
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

/** Rows of one partition of the log. */
export const partitionSize = 500_000;

const partitionName = (number: number): string => `events_${number}`;

/** Makes the partition that holds this number, where it is missing. */
export async function ensurePartition(tx: Queryable, seq: number): Promise<void> {
  const number = Math.floor(seq / partitionSize);
  const [from, to] = [number * partitionSize, (number + 1) * partitionSize].map(String) as [
    string,
    string,
  ];
  await createPartition(tx, events, { name: partitionName(number), from, to });
}

/** Drops the partitions that hold nothing younger than this. @returns how many */
export async function dropPartitions(
  tx: Queryable,
  { seq }: LogEnd,
  before: Date,
): Promise<number> {
  let dropped = 0;
  const oldest = await findOldest(tx);
  if (oldest === undefined) return 0;
  const current = Math.floor(seq / partitionSize);
  for (let number = Math.floor(oldest / partitionSize); number < current; number++) {
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

/** Removes periods that ended before every event that can be read. @returns how many */
export async function forgetPeriods(on: Queryable, before: Date): Promise<number> {
  const gone = await on
    .delete(consentPeriods)
    .where(lt(consentPeriods.ended, before))
    .returning({ id: consentPeriods.id });
  return gone.length;
}

/** The number of the oldest event that is kept. */
export async function findOldest(on: Queryable): Promise<number | undefined> {
  const [row] = await on.select({ seq: events.seq }).from(events).orderBy(asc(events.seq)).limit(1);
  return row?.seq;
}

/** Removes epochs that ended before every event that is kept. @returns how many */
export async function forgetEpochs(on: Queryable): Promise<number> {
  const oldest = on.select({ seq: events.seq }).from(events).orderBy(asc(events.seq)).limit(1);
  const gone = await on
    .delete(eventEpochs)
    .where(lt(eventEpochs.until, sql`(${oldest}) - 1`))
    .returning({ epoch: eventEpochs.epoch });
  return gone.length;
}
