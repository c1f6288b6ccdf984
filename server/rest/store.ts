import { and, eq, lte, sql } from "drizzle-orm";
import { expiredBy, oldestBy } from "#db/batches";
import type { Queryable } from "#db/client";
import { idempotencyRecords, requestLog } from "#db/schema/operations";
import { before, type Sweep, sweepByIndex } from "#db/sweep";
import { daySeconds, hourSeconds } from "#server/platform/durations";

/** One call, as the request log keeps it. */
export interface RequestLogLine {
  readonly at: Date;
  readonly requestId: string;
  readonly method: string;
  /** The route's template, never the address as sent; "unmatched" where there was none. */
  readonly route: string;
  readonly status: number;
  readonly failureCode: number | null;
  readonly accountId: string | null;
  readonly clientId: string | null;
  readonly address: string | null;
  /** How long the answer took. */
  readonly micros: number;
}

/**
 * Appends lines to the request log in one statement with a parameter a column. A list of values costs the builder, the driver
 * and PostgreSQL's parser more than ten times as much, JSON almost twice as much, and this runs for every call.
 */
export async function insertRequestLines(on: Queryable, lines: readonly RequestLogLine[]): Promise<void> {
  if (lines.length === 0) return;
  const column = (name: keyof RequestLogLine) => sql`string_to_array(${columnText(lines, name)}, e'\\n', '')`;
  const at = sql`string_to_array(${lines.map((line) => line.at.toISOString()).join("\n")}, e'\\n')`;
  await on.execute(sql`
    insert into ${requestLog}
      (at, request_id, method, route, status, failure_code, account_id, client_id, address, micros)
    select * from unnest(${at}::timestamptz[], ${column("requestId")}, ${column("method")}, ${column("route")},
      ${column("status")}::integer[], ${column("failureCode")}::integer[], ${column("accountId")}::uuid[],
      ${column("clientId")}, ${column("address")}, ${column("micros")}::integer[])`);
}

/** One value a line, nothing where it is null. None of them comes from a caller as sent, so none holds a line break. */
const columnText = (lines: readonly RequestLogLine[], name: keyof RequestLogLine): string =>
  lines.map((line) => line[name] ?? "").join("\n");

/** Whose key it is: the same text from another account or application is another key. */
export interface IdempotencyOwner {
  readonly accountId: string;
  readonly clientId: string;
  readonly key: string;
}

export interface IdempotencyRecord {
  readonly requestHash: string;
  /** Null while the first request is running. */
  readonly status: number | null;
  readonly body: string | null;
}

const ofOwner = ({ accountId, clientId, key }: IdempotencyOwner) =>
  and(
    eq(idempotencyRecords.accountId, accountId),
    eq(idempotencyRecords.clientId, clientId),
    eq(idempotencyRecords.key, key),
  );

/**
 * Claims a key, of which the primary key lets one of several racing requests have it. A record from before `since` is taken over.
 * @returns undefined for the winner, else the record that stands
 */
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
  // The first may have failed and let go of the key just now; to the caller it was still running.
  return earlier ?? { requestHash: claim.requestHash, status: null, body: null };
}

export async function keepIdempotentAnswer(
  on: Queryable,
  owner: IdempotencyOwner,
  answer: { status: number; body: string | null },
): Promise<void> {
  await on.update(idempotencyRecords).set({ status: answer.status, body: answer.body }).where(ofOwner(owner));
}

export async function forgetIdempotencyKey(on: Queryable, owner: IdempotencyOwner): Promise<void> {
  await on.delete(idempotencyRecords).where(ofOwner(owner));
}

/** How long the first answer to an Idempotency-Key is repeated. */
export const idempotencySeconds = 24 * hourSeconds;
const linesKept = 30 * daySeconds;

/** What the kernel of the API keeps for a while. */
export const restSweeps: readonly Sweep[] = [
  sweepByIndex("idempotency_records", (moment) =>
    expiredBy(idempotencyRecords, idempotencyRecords.createdAt, before(moment, idempotencySeconds)),
  ),
  sweepByIndex("request_log", (moment) => oldestBy(requestLog, requestLog, before(moment, linesKept))),
];
