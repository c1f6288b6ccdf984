import {
  and,
  asc,
  count,
  desc,
  eq,
  gte,
  inArray,
  isNull,
  lte,
  not,
  or,
  type SQL,
  sql,
} from "drizzle-orm";
import { z } from "zod";
import type { Queryable } from "#db/client";
import { nameKey } from "#db/expressions";
import { accounts } from "#db/schema/accounts";
import { consents } from "#db/schema/oauth";
import { auditLog, requestLog } from "#db/schema/operations";
import { players } from "#db/schema/players";
import { columnsOf, first, isAfterCursor } from "#db/select";
import type { AuditedAct } from "#server/audit/audit";
import type { PageCursor } from "#server/platform/paging";
import type { CallOutcome } from "./call-filter";

const firstError = 400;

/** Written as in the partial index of failed calls, which a parameter would disable. */
export const hasFailed = sql`${requestLog.status} >= ${sql.raw(String(firstError))}`;

/** A call with an ended token used no right. */
export const hadLiveToken = sql`${requestLog.failure} -> 'token' is null`;

function hasOutcome(outcome: CallOutcome): SQL | undefined {
  if (outcome === "all") return undefined;
  if (outcome === "good") return not(hasFailed);
  if (outcome === "failed") return hasFailed;
  if (outcome === "5xx") return and(hasFailed, gte(requestLog.status, 500));
  return and(hasFailed, eq(requestLog.status, outcome === "limited" ? 429 : Number(outcome)));
}

/** Leaves out the sender's address, which is often the player's. */
const callColumns = {
  ...columnsOf(requestLog, ["at", "requestId", "method", "route", "status", "failureCode"]),
  ...columnsOf(requestLog, ["micros", "path", "userAgent", "failure", "accountId", "clientId"]),
  id: sql`${requestLog.id}`.mapWith(String),
};

export type CallLine = Awaited<ReturnType<typeof listCalls>>[number];

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

export async function listCalls(on: Queryable, of: AskedCalls) {
  const { clientId, outcome, endpoint, accountId, since, until, after, limit } = of;
  return on
    .select(callColumns)
    .from(requestLog)
    .where(
      and(
        eq(requestLog.clientId, clientId),
        gte(requestLog.at, since),
        lte(requestLog.at, until),
        hasOutcome(outcome),
        endpoint ? eq(requestLog.route, endpoint.route) : undefined,
        endpoint?.method ? eq(requestLog.method, endpoint.method) : undefined,
        accountId === null ? undefined : eq(requestLog.accountId, accountId),
        isAfterCursor(requestLog, after),
      ),
    )
    .orderBy(desc(requestLog.at), desc(requestLog.id))
    .limit(limit);
}

export interface RequestLookup {
  readonly clientIds: readonly string[];
  readonly requestId: string;
  readonly since: Date;
  readonly until: Date;
  /** True if the window is narrow enough to search lines without an application. */
  readonly exact: boolean;
}

const ofRequest = (
  log: typeof requestLog | typeof auditLog,
  { requestId, since, until }: RequestLookup,
) => and(gte(log.at, since), lte(log.at, until), eq(log.requestId, requestId));

export const findCall = (on: Queryable, of: RequestLookup) => {
  const isKnown = inArray(requestLog.clientId, [...of.clientIds]);
  return first(
    on
      .select(callColumns)
      .from(requestLog)
      .where(
        and(
          ofRequest(requestLog, of),
          of.exact ? or(isKnown, isNull(requestLog.clientId)) : isKnown,
        ),
      )
      .limit(1),
  );
};

/** Only players with a consent are named to the developer. */
export async function findCallers(
  on: Queryable,
  clientId: string,
  accountIds: readonly string[],
): Promise<ReadonlyMap<string, { readonly id: number; readonly name: string }>> {
  if (accountIds.length === 0) return new Map();
  const rows = await selectCallers(on).where(
    and(eq(consents.clientId, clientId), inArray(consents.accountId, [...accountIds])),
  );
  return new Map(rows.map(({ accountId, ...player }) => [accountId, player]));
}

export async function findCallerAccountId(
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

interface UsedRights {
  readonly accountIds: readonly string[];
  readonly clientIds: readonly string[];
  readonly routes?: readonly string[];
}

const isUse = ({ accountIds, clientIds, routes }: UsedRights, since: Date) =>
  and(
    inArray(requestLog.accountId, [...accountIds]),
    inArray(requestLog.clientId, [...clientIds]),
    routes && inArray(requestLog.route, [...routes]),
    gte(requestLog.at, since),
    hadLiveToken,
  );

const use = {
  ...columnsOf(requestLog, ["method", "route"]),
  calls: count().as("calls"),
  refused: sql`count(*) filter (where ${hasFailed})`.mapWith(Number),
  last: sql<Date>`max(${requestLog.at})`.mapWith(requestLog.at),
};

export async function countUseByEndpoint(on: Queryable, of: UsedRights, since: Date) {
  const { accountId, clientId, method, route } = requestLog;
  if (of.accountIds.length === 0 || of.clientIds.length === 0) return [];
  return on
    .select({ accountId, clientId, ...use })
    .from(requestLog)
    .where(isUse(of, since))
    .groupBy(accountId, clientId, method, route);
}

/** Days are UTC. */
export const countUseByDay = (on: Queryable, of: UsedRights, since: Date) => {
  const { method, route } = requestLog;
  const day = sql`date_trunc('day', ${requestLog.at}, 'UTC')`.mapWith(requestLog.at).as("day");
  return on
    .select({ day, ...use })
    .from(requestLog)
    .where(isUse(of, since))
    .groupBy(sql`day`, method, route)
    .orderBy(desc(sql`day`), desc(sql`calls`), asc(route), asc(method));
};

const failedActs = [
  "authorization.refused",
  "consent.denied",
  "token_request.refused",
  "code.reused",
  "refresh_token.reused",
] as const satisfies readonly AuditedAct[];

const succeededActs = [
  "consent.shown",
  "consent.approved",
  "code.issued",
  "token.issued",
  "token.refreshed",
  "token.revoked",
] as const satisfies readonly AuditedAct[];

const word = z.string().nullable().catch(null);
const names = z.array(z.string()).nullable().catch(null);
const Attempt = z.object({
  id: z.bigint().transform(String),
  at: z.date(),
  requestId: z.string().nullable(),
  act: z.string().pipe(z.enum(failedActs)),
  details: z.looseObject({}).pipe(
    z.object({
      endpoint: word,
      error: word,
      description: word,
      redirectUri: word,
      authorization: z
        .enum(["none", "basic", "basic-empty-secret", "basic-malformed", "other-scheme"])
        .nullable()
        .catch(null),
      fields: names,
      emptyFields: names,
    }),
  ),
});

const attemptColumns = columnsOf(auditLog, ["id", "at", "act", "requestId", "details"]);

function attemptOf(row: z.input<typeof Attempt>) {
  const { details, ...attempt } = Attempt.parse(row);
  return { ...attempt, ...details };
}

export async function listFailedOAuthAttempts(
  on: Queryable,
  of: {
    readonly clientId: string;
    readonly since: Date;
    readonly after: PageCursor | null;
    readonly limit: number;
  },
) {
  const rows = await on
    .select(attemptColumns)
    .from(auditLog)
    .where(
      and(
        eq(auditLog.clientId, of.clientId),
        gte(auditLog.at, of.since),
        inArray(auditLog.act, [...failedActs]),
        isAfterCursor(auditLog, of.after),
      ),
    )
    .orderBy(desc(auditLog.at), desc(auditLog.id))
    .limit(of.limit);
  return rows.map(attemptOf);
}

export async function findFailedOAuthAttempt(on: Queryable, of: RequestLookup) {
  const isOwn = inArray(auditLog.clientId, [...of.clientIds]);
  const unclaimed: (typeof failedActs)[number][] = [
    "authorization.refused",
    "token_request.refused",
  ];
  const isUnclaimed = and(isNull(auditLog.clientId), inArray(auditLog.act, unclaimed));
  const [row] = await on
    .select({ ...attemptColumns, clientId: auditLog.clientId })
    .from(auditLog)
    .where(
      and(
        ofRequest(auditLog, of),
        inArray(auditLog.act, [...failedActs]),
        of.exact ? or(isOwn, isUnclaimed) : isOwn,
      ),
    )
    // The end of a grant is written before the refusal that it caused.
    .orderBy(auditLog.id)
    .limit(1);
  return row && { ...attemptOf(row), clientId: row.clientId };
}

export async function findOAuthSuccess(on: Queryable, of: RequestLookup) {
  const [row] = await on
    .select(columnsOf(auditLog, ["clientId", "act", "at"]))
    .from(auditLog)
    .where(
      and(
        ofRequest(auditLog, of),
        inArray(auditLog.clientId, [...of.clientIds]),
        inArray(auditLog.act, [...succeededActs]),
      ),
    )
    .orderBy(desc(auditLog.id))
    .limit(1);
  const act = succeededActs.find((known) => known === row?.act);
  return row && act && { ...row, act };
}
