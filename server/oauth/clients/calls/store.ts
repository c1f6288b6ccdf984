import { and, desc, eq, gte, inArray, isNull, lt, lte, not, or, type SQL, sql } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";
import type { Queryable } from "#db/client";
import { nameKey } from "#db/expressions";
import { accounts } from "#db/schema/accounts";
import { consents } from "#db/schema/oauth";
import { requestLog } from "#db/schema/operations";
import { players } from "#db/schema/players";
import type { PageCursor } from "#server/platform/paging";
import type { CallingPlayer, CallOutcome, LoggedCall } from "./log-entries";

const firstError = 400;

/** Written as in the partial index of failed calls: a parameter would disable the index. */
export const hasFailed = sql`${requestLog.status} >= ${sql.raw(String(firstError))}`;

/** A call with an ended token used no right. */
export const usedRight = sql`${requestLog.failure} -> 'token' is null`;

const hasStatus = (status: number) => and(hasFailed, eq(requestLog.status, status));

const outcomes: Readonly<Record<CallOutcome, SQL | undefined>> = {
  all: undefined,
  good: not(hasFailed),
  failed: hasFailed,
  limited: hasStatus(429),
  "400": hasStatus(400),
  "401": hasStatus(401),
  "403": hasStatus(403),
  "404": hasStatus(404),
  "409": hasStatus(409),
  "422": hasStatus(422),
  "5xx": and(hasFailed, gte(requestLog.status, 500)),
};

const callColumns = {
  id: requestLog.id,
  at: requestLog.at,
  requestId: requestLog.requestId,
  method: requestLog.method,
  route: requestLog.route,
  status: requestLog.status,
  failureCode: requestLog.failureCode,
  micros: requestLog.micros,
  path: requestLog.path,
  userAgent: requestLog.userAgent,
  failure: requestLog.failure,
  accountId: requestLog.accountId,
  clientId: requestLog.clientId,
};

export type CallLine = Omit<LoggedCall, "player"> & {
  readonly accountId: string | null;
  readonly clientId: string | null;
};

interface AskedCalls {
  readonly clientId: string;
  readonly outcome: CallOutcome;
  readonly endpoint: { readonly method: string | null; readonly route: string } | null;
  readonly accountId: string | null;
  readonly since: Date;
  readonly until: Date;
  readonly after: PageCursor | null;
  readonly limit: number;
}

export async function listCalls(on: Queryable, of: AskedCalls): Promise<CallLine[]> {
  const { clientId, outcome, endpoint, accountId, since, until, after, limit } = of;
  const rows = await on
    .select(callColumns)
    .from(requestLog)
    .where(
      and(
        eq(requestLog.clientId, clientId),
        gte(requestLog.at, since),
        lte(requestLog.at, until),
        outcomes[outcome],
        endpoint ? eq(requestLog.route, endpoint.route) : undefined,
        endpoint?.method ? eq(requestLog.method, endpoint.method) : undefined,
        accountId === null ? undefined : eq(requestLog.accountId, accountId),
        isAfter(requestLog, after),
      ),
    )
    .orderBy(desc(requestLog.at), desc(requestLog.id))
    .limit(limit);
  return rows.map((row) => ({ ...row, id: String(row.id) }));
}

interface AskedCall {
  readonly clientIds: readonly string[];
  readonly requestId: string;
  readonly since: Date;
  readonly until: Date;
  readonly orNobodys: boolean;
}

export async function findCall(on: Queryable, of: AskedCall): Promise<CallLine | undefined> {
  const isKnown = inArray(requestLog.clientId, [...of.clientIds]);
  const [row] = await on
    .select(callColumns)
    .from(requestLog)
    .where(
      and(
        gte(requestLog.at, of.since),
        lte(requestLog.at, of.until),
        eq(requestLog.requestId, of.requestId),
        of.orNobodys ? or(isKnown, isNull(requestLog.clientId)) : isKnown,
      ),
    )
    .limit(1);
  return row && { ...row, id: String(row.id) };
}

/** Only players with a consent are named to the developer. */
export async function nameCallers(
  on: Queryable,
  clientId: string,
  accountIds: readonly string[],
): Promise<ReadonlyMap<string, CallingPlayer>> {
  if (accountIds.length === 0) return new Map();
  const rows = await selectCallers(on).where(
    and(eq(consents.clientId, clientId), inArray(consents.accountId, [...accountIds])),
  );
  return new Map(rows.map(({ accountId, ...player }) => [accountId, player]));
}

export async function findCaller(
  on: Queryable,
  clientId: string,
  named: string,
): Promise<string | undefined> {
  const isNamed = /^\d{1,9}$/.test(named)
    ? eq(players.id, Number(named))
    : eq(nameKey(players.name), named.toLowerCase());
  const [row] = await selectCallers(on)
    .where(and(eq(consents.clientId, clientId), isNamed))
    .limit(1);
  return row?.accountId;
}

const selectCallers = (on: Queryable) =>
  on
    .selectDistinct({ accountId: consents.accountId, id: players.id, name: players.name })
    .from(consents)
    .innerJoin(accounts, eq(accounts.id, consents.accountId))
    .innerJoin(players, eq(players.id, accounts.playerId));

/** Keyset paging, newest first; undefined for a cursor that is no row. */
export function isAfter(
  { at, id }: { at: PgColumn; id: PgColumn },
  cursor: PageCursor | null,
): SQL | undefined {
  if (!cursor || !/^\d{1,18}$/.test(cursor.id)) return undefined;
  return or(lt(at, cursor.at), and(eq(at, cursor.at), lt(id, BigInt(cursor.id))));
}
