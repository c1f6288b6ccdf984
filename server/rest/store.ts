import { and, eq, lte, sql } from "drizzle-orm";
import type { Database, PoolHandles, Queryable } from "#db/client";
import type { PartitionedLog } from "#db/partitions";
import { idempotencyRecords, requestLog } from "#db/schema/operations";
import type { Sweep } from "#db/sweep";
import { dayMs, hourSeconds, secondMs } from "#server/platform/time";

export type RequestLogLine = Omit<typeof requestLog.$inferSelect, "id">;

type Described = "failure" | "path" | "userAgent";

export interface AnsweredCall
  extends Omit<RequestLogLine, Described>,
    Partial<Pick<RequestLogLine, Described>> {
  /** Hashes of a refused token. */
  readonly tokenHashes?: readonly string[] | undefined;
}

/**
 * One array parameter per column: a list of values costs more than ten times as much, JSON almost
 * twice. `unnest` in `from` would materialise each column.
 */
export async function insertRequestLines(
  database: Database,
  lines: readonly RequestLogLine[],
): Promise<void> {
  if (lines.length === 0) return;
  const texts = (name: keyof RequestLogLine) => lines.map((line) => line[name] ?? "").join("\n");
  const array = (values: readonly unknown[]) =>
    `{${values.map((value) => value ?? "NULL").join(",")}}`;
  const values = (name: keyof RequestLogLine) => array(lines.map((line) => line[name]));
  const columns = {
    at: array(lines.map((line) => line.at.getTime() / secondMs)),
    requestId: texts("requestId"),
    method: texts("method"),
    route: texts("route"),
    status: values("status"),
    failureCode: values("failureCode"),
    accountId: values("accountId"),
    clientId: texts("clientId"),
    address: texts("address"),
    path: texts("path"),
    userAgent: texts("userAgent"),
    micros: values("micros"),
    failure: lines.map(({ failure }) => (failure ? JSON.stringify(failure) : "")).join("\n"),
  };
  await database.statement("insert_request_lines", prepareInsertion).execute(columns);
}

/**
 * Texts are joined by line breaks, which none contains: paths and user agents are stripped, and
 * JSON escapes them. Empty means null.
 */
function prepareInsertion({ query }: PoolHandles) {
  const text = (name: keyof RequestLogLine) =>
    sql`unnest(string_to_array(${sql.placeholder(name)}::text, e'\\n', ''))`;
  const array = (name: keyof RequestLogLine, type: "integer" | "uuid" | "float8") =>
    sql`unnest(${sql.placeholder(name)}::text::${sql.raw(type)}[])`;
  const written = query.$with("written", {}).as(sql`
    insert into ${requestLog}
      (at, request_id, method, route, status, failure_code, account_id, client_id, address, path, user_agent, micros, failure)
    select to_timestamp(${array("at", "float8")}), ${text("requestId")}, ${text("method")}, ${text("route")},
      ${array("status", "integer")}, ${array("failureCode", "integer")}, ${array("accountId", "uuid")},
      ${text("clientId")}, ${text("address")}, ${text("path")}, ${text("userAgent")}, ${array("micros", "integer")},
      ${text("failure")}::jsonb`);
  return query
    .with(written)
    .select({ one: sql`1` })
    .from(sql`(select) as one`)
    .prepare("insert_request_lines");
}

type StoredRecord = typeof idempotencyRecords.$inferSelect;
export type IdempotencyRecord = Pick<StoredRecord, "requestHash" | "status" | "body">;
type IdempotencyOwner = Pick<StoredRecord, "accountId" | "clientId" | "key">;

const ofOwner = ({ accountId, clientId, key }: IdempotencyOwner) =>
  and(
    eq(idempotencyRecords.accountId, accountId),
    eq(idempotencyRecords.clientId, clientId),
    eq(idempotencyRecords.key, key),
  );

/** The primary key decides a race. @returns undefined for the winner, else the existing record */
export async function claimIdempotencyKey(
  on: Queryable,
  owner: IdempotencyOwner,
  claim: { requestHash: string; now: Date; since: Date },
): Promise<IdempotencyRecord | undefined> {
  const fresh = { requestHash: claim.requestHash, status: null, body: null, createdAt: claim.now };
  const claimed = await on
    .insert(idempotencyRecords)
    .values({ ...owner, ...fresh })
    .onConflictDoUpdate({
      target: [idempotencyRecords.accountId, idempotencyRecords.clientId, idempotencyRecords.key],
      set: fresh,
      setWhere: lte(idempotencyRecords.createdAt, claim.since),
    })
    .returning({ one: sql<number>`1` });
  if (claimed.length > 0) return undefined;
  const [earlier] = await on
    .select({
      requestHash: idempotencyRecords.requestHash,
      status: idempotencyRecords.status,
      body: idempotencyRecords.body,
    })
    .from(idempotencyRecords)
    .where(ofOwner(owner));
  // The first request may have just released the key.
  return earlier ?? { requestHash: claim.requestHash, status: null, body: null };
}

export async function keepIdempotentAnswer(
  on: Queryable,
  owner: IdempotencyOwner,
  answer: { status: number; body: string | null },
): Promise<void> {
  await on
    .update(idempotencyRecords)
    .set({ status: answer.status, body: answer.body })
    .where(ofOwner(owner));
}

export async function forgetIdempotencyKey(on: Queryable, owner: IdempotencyOwner): Promise<void> {
  await on.delete(idempotencyRecords).where(ofOwner(owner));
}

export const idempotencySeconds = 24 * hourSeconds;

export const idempotencySweeps: readonly Sweep[] = [
  { table: idempotencyRecords, column: idempotencyRecords.createdAt, keep: idempotencySeconds },
];

/** 30 days, today included. */
export const requestLogPartitions: PartitionedLog = {
  table: requestLog,
  period: dayMs,
  kept: 29 * dayMs,
  lateIndex: { suffix: "account", columns: sql`account_id, at` },
};
