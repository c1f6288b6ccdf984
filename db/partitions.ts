import { and, getTableName, inArray, type SQL, sql } from "drizzle-orm";
import type { PgColumn, PgTable } from "drizzle-orm/pg-core";
import { dayMs, secondMs } from "#server/platform/time";
import type { DatabaseAccess, Queryable } from "./client";

interface Partition {
  readonly name: string;
  readonly from: number;
  /** Exclusive. */
  readonly to: number;
}

export interface PartitionedLog {
  readonly table: PgTable & { readonly at: PgColumn };
  /** Milliseconds: a day, or a week from Monday. */
  readonly period: number;
  /** Milliseconds of retention after the partition's last row. */
  readonly kept: number;
  /** Built when the period is over. */
  readonly lateIndex?: { readonly suffix: string; readonly columns: SQL };
}

/** Short, because calls queue behind a waiting statement. The next run retries. */
const lockTimeout = sql`set local lock_timeout = '300ms'`;

const aheadMs = 7 * dayMs;
/** Lines queued during an outage arrive within this time. */
const lateMs = dayMs / 24;
const firstMonday = 4 * dayMs;

/** Unlike `partition of`, attaching does not block readers and writers of other partitions. */
export async function createPartition(
  tx: Queryable,
  of: PgTable,
  { name, from, to }: { readonly name: string; readonly from: string; readonly to: string },
): Promise<void> {
  const partition = sql.identifier(name);
  await tx.execute(lockTimeout);
  // A concurrent process waits here and finds the partition made.
  await tx.execute(sql`lock table only ${of} in share update exclusive mode`);
  const [made] = await tx
    .select({ one: sql`1` })
    .from(sql`pg_class`)
    .where(sql`oid = to_regclass(${name})`);
  if (made) return;
  await tx.execute(
    sql`create table ${partition} (like ${of} including defaults including constraints)`,
  );
  await tx.execute(
    sql`alter table ${of} attach partition ${partition} for values from (${sql.raw(from)}) to (${sql.raw(to)})`,
  );
}

export async function dropPartition(tx: Queryable, name: string): Promise<void> {
  await tx.execute(lockTimeout);
  await tx.execute(sql`drop table if exists ${sql.identifier(name)}`);
}

export const nameOfLog = ({ table }: PartitionedLog): string => getTableName(table);

const defaultName = (log: PartitionedLog) => `${nameOfLog(log)}_default`;

/** Oldest first. A partition begins with a period, so its name gives its bounds. */
async function listPartitions(on: Queryable, log: PartitionedLog): Promise<Partition[]> {
  const rows = await on
    .select({ name: sql<string>`relname` })
    .from(sql`pg_inherits join pg_class on pg_class.oid = inhrelid`)
    .where(sql`inhparent = ${nameOfLog(log)}::regclass`)
    .orderBy(sql`relname`);
  return rows.flatMap(({ name }) => {
    const [, year, month, day] = /_(\d{4})(\d\d)(\d\d)$/.exec(name) ?? [];
    return day === undefined ? [] : partitionAt(log, Date.parse(`${year}-${month}-${day}`));
  });
}

function partitionAt(log: PartitionedLog, at: number): Partition {
  const from = at - ((at - firstMonday) % log.period);
  const day = new Date(from).toISOString().slice(0, 10).replaceAll("-", "");
  return { name: `${nameOfLog(log)}_${day}`, from, to: from + log.period };
}

const instant = (ms: number) => `'${new Date(ms).toISOString()}'`;

/** A row in the default partition stays there and prevents the creation of its own partition. */
export async function ensurePartitions(
  { query, transaction }: DatabaseAccess,
  log: PartitionedLog,
  now: Date,
): Promise<{ made: number; failures: unknown[] }> {
  let made = 0;
  const failures: unknown[] = [];
  const existing = new Set((await listPartitions(query, log)).map(({ name }) => name));
  const end = now.getTime() + aheadMs;
  const first = partitionAt(log, now.getTime());
  for (let next = first; next.from < end; next = partitionAt(log, next.to)) {
    const { name, from, to } = next;
    if (existing.has(name)) continue;
    const bounds = { name, from: instant(from), to: instant(to) };
    await transaction((tx) => createPartition(tx, log.table, bounds)).then(
      () => {
        made += 1;
      },
      (error: unknown) => void failures.push(error),
    );
  }
  return { made, failures };
}

const isOld = (log: PartitionedLog, end: number, now: Date): boolean =>
  end <= now.getTime() - log.kept;

/** @returns how many partitions */
export async function dropOldPartitions(
  { query, transaction }: DatabaseAccess,
  log: PartitionedLog,
  now: Date,
): Promise<number> {
  const old = (await listPartitions(query, log)).filter(({ to }) => isOld(log, to, now));
  for (const { name } of old) await transaction((tx) => dropPartition(tx, name));
  const [strays] = await query
    .select({ youngest: sql`max(at)`.mapWith(log.table.at) })
    .from(sql.identifier(defaultName(log)) as unknown as SQL);
  if (!strays?.youngest || !isOld(log, new Date(strays.youngest as string).getTime(), now))
    return old.length;
  await transaction(async (tx) => {
    await tx.execute(lockTimeout);
    await tx.execute(sql`truncate ${sql.identifier(defaultName(log))}`);
  });
  return old.length + 1;
}

export async function listUnindexedPartitions(
  on: Queryable,
  log: PartitionedLog,
  now: Date,
): Promise<string[]> {
  const { lateIndex } = log;
  if (!lateIndex) return [];
  const over = (await listPartitions(on, log))
    .filter(({ to }) => to + lateMs <= now.getTime() && !isOld(log, to, now))
    .map(({ name }) => name);
  const indexOf = (partition: string) => `${partition}_${lateIndex.suffix}`;
  const rows = await on
    .select({ name: sql<string>`relname` })
    .from(sql`pg_class`)
    .where(and(inArray(sql`relname`, over.map(indexOf)), sql`relkind = 'i'`));
  const built = new Set(rows.map(({ name }) => name));
  return over.filter((name) => !built.has(indexOf(name)));
}

/** During the build readers continue, and writers to the partition wait. */
export async function buildLateIndex(
  { transaction }: DatabaseAccess,
  { lateIndex }: PartitionedLog,
  partition: string,
): Promise<void> {
  await transaction(async (tx) => {
    await tx.execute(lockTimeout);
    if (lateIndex)
      await tx.execute(
        sql`create index if not exists ${sql.identifier(`${partition}_${lateIndex.suffix}`)} on ${sql.identifier(partition)} (${lateIndex.columns})`,
      );
    await tx.execute(sql`analyze ${sql.identifier(partition)}`);
  });
}

interface PartitionState {
  readonly aheadSeconds: number;
  /** Rows of the last hour in the default partition, counted up to 10,000. */
  readonly strays: number;
}

const mostCounted = 10_000;

export async function readPartitionState(
  on: Queryable,
  log: PartitionedLog,
  now: Date,
): Promise<PartitionState> {
  const lastHour = new Date(now.getTime() - lateMs).toISOString();
  const strays = await on.$count(
    sql`(select from ${sql.identifier(defaultName(log))} where at > ${lastHour}::timestamptz limit ${mostCounted}) as strays`,
  );
  let end = now.getTime();
  for (const { from, to } of await listPartitions(on, log)) if (from <= end && end < to) end = to;
  return { aheadSeconds: (end - now.getTime()) / secondMs, strays };
}
