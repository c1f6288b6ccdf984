import {
  and,
  count,
  countDistinct,
  desc,
  eq,
  exists,
  gt,
  gte,
  inArray,
  isNull,
  max,
  or,
  type SQLWrapper,
  sql,
} from "drizzle-orm";
import { afterCommit, type Database, type Queryable } from "#db/client";
import { accounts, notices } from "#db/schema/accounts";
import {
  accessTokens,
  applications,
  authorizationCodes,
  consents,
  grants,
  refreshTokens,
} from "#db/schema/oauth";
import { auditLog, requestLog } from "#db/schema/operations";
import { players } from "#db/schema/players";
import { columnsOf, isAfterCursor } from "#db/select";
import type { Administrator } from "#server/actor";
import { type AuditedAct, actorKey } from "#server/audit/audit";
import type { Context } from "#server/context";
import { type CappedCount, cappedCountOf, noCount, type PageCursor } from "#server/platform/paging";
import { consentHolds } from "../../consents/store";
import { grantEndQueries } from "../../grants/end-store";
import {
  consentStateColumns,
  effectiveScopes,
  grantStateColumns,
  isNotInState,
  type SqlInstant,
} from "../../grants/grant-status";
import { hadLiveToken } from "../calls/store";
import { isInClientIds, joinClientIds, readCallFigures } from "../traffic/store";

/** A grant's state needs three tables, so only the newest grants are counted. */
export const deviceCountLimit = 100;

const isUsable = (
  token: typeof accessTokens | typeof refreshTokens | typeof authorizationCodes,
  grantId: SQLWrapper,
  now: SqlInstant,
) =>
  and(
    eq(token.grantId, grantId),
    isNull("revokedAt" in token ? token.revokedAt : token.consumedAt),
    gt(token.expiresAt, now),
  );

const usable = (
  on: Queryable,
  token: Parameters<typeof isUsable>[0],
  ...of: [grantId: SQLWrapper, now: SqlInstant]
) =>
  on
    .select({ hash: token.hash })
    .from(token)
    .where(isUsable(token, ...of));

export type GrantOwner = { readonly clientId: string } | { readonly accountId: string };

/** Includes paused and suspended grants, so that a developer can end them after a leak. */
const isLive = (on: Queryable, of: GrantOwner, now: Date) =>
  and(
    "clientId" in of ? eq(grants.clientId, of.clientId) : eq(consents.accountId, of.accountId),
    isNotInState(["ended"], { ...grantStateColumns, ...consentStateColumns }, now),
    or(
      ...[accessTokens, refreshTokens, authorizationCodes].map((token) =>
        exists(usable(on, token, grants.id, now)),
      ),
    ),
  );

export async function listLiveGrants(
  on: Queryable,
  of: { readonly clientId: string; readonly after: PageCursor | null; readonly limit: number },
  now: Date,
) {
  const lastIssued = on
    .select({ at: max(accessTokens.issuedAt) })
    .from(accessTokens)
    .where(eq(accessTokens.grantId, grants.id));
  const lastCall = on
    .select({ at: requestLog.at })
    .from(requestLog)
    .where(
      and(
        eq(requestLog.accountId, consents.accountId),
        eq(requestLog.clientId, of.clientId),
        gte(requestLog.at, grants.createdAt),
        hadLiveToken,
      ),
    )
    .orderBy(desc(requestLog.at))
    .limit(1);
  const rows = await on
    .select({
      id: grants.id,
      at: grants.createdAt,
      player: columnsOf(players, ["id", "name"]),
      scopes: grants.scopes,
      consented: consents.scopes,
      registered: applications.scopes,
      pausedAt: consents.pausedAt,
      tokens:
        sql`(select count(*) from ${usable(on, accessTokens, grants.id, now).as("live")})`.mapWith(
          Number,
        ),
      lastUsed: sql<Date | null>`greatest((${lastIssued}), (${lastCall}))`.mapWith(requestLog.at),
    })
    .from(grants)
    .innerJoin(consents, eq(consents.id, grants.consentId))
    .innerJoin(applications, eq(applications.clientId, consents.clientId))
    .innerJoin(accounts, eq(accounts.id, consents.accountId))
    .innerJoin(players, eq(players.id, accounts.playerId))
    .where(
      and(isLive(on, of, now), isAfterCursor({ at: grants.createdAt, id: grants.id }, of.after)),
    )
    .orderBy(desc(grants.createdAt), desc(grants.id))
    .limit(of.limit);
  return rows.map(({ scopes, consented, registered, pausedAt, ...row }) => ({
    ...row,
    scopes: effectiveScopes({ consented, registered }, scopes),
    paused: pausedAt !== null,
  }));
}

export function liveCountsQuery(on: Queryable, now: SqlInstant) {
  const newest = on
    .select({ id: grants.id, consentId: grants.consentId, absoluteExpiry: grants.absoluteExpiry })
    .from(grants)
    .where(and(eq(grants.clientId, applications.clientId), isNull(grants.revokedAt)))
    .orderBy(desc(grants.createdAt), desc(grants.id))
    .limit(deviceCountLimit)
    .as("newest");
  const access = on
    .select({ tokens: count().as("tokens") })
    .from(accessTokens)
    .where(isUsable(accessTokens, newest.id, now))
    .as("access");
  const live = and(
    isNotInState(["ended"], { ...consentStateColumns, absoluteExpiry: newest.absoluteExpiry }, now),
    or(
      gt(access.tokens, 0),
      exists(usable(on, refreshTokens, newest.id, now)),
      exists(usable(on, authorizationCodes, newest.id, now)),
    ),
  );
  return on
    .select({
      looked: count().as("looked"),
      players: sql`count(distinct ${consents.accountId}) filter (where ${live})`
        .mapWith(Number)
        .as("players"),
      grants: sql`count(*) filter (where ${live})`.mapWith(Number).as("grants"),
      tokens: sql`coalesce(sum(${access.tokens}) filter (where ${live}), 0)`
        .mapWith(Number)
        .as("live_tokens"),
    })
    .from(newest)
    .innerJoin(consents, eq(consents.id, newest.consentId))
    .innerJoinLateral(access, sql`true`)
    .as("live");
}

export async function countGrantsByClient(
  on: Queryable,
  clientIds: readonly string[],
  now: Date,
): Promise<ReadonlyMap<string, Record<"players" | "grants" | "tokens", CappedCount>>> {
  if (clientIds.length === 0) return new Map();
  const live = liveCountsQuery(on, now);
  const rows = await on
    .select({
      clientId: applications.clientId,
      looked: live.looked,
      players: live.players,
      grants: live.grants,
      tokens: live.tokens,
    })
    .from(applications)
    .innerJoinLateral(live, sql`true`)
    .where(inArray(applications.clientId, [...clientIds]));
  return new Map(
    rows.map(({ clientId, looked, players, grants, tokens }) => {
      const of = (found: number) => cappedCountOf(found, { looked, most: deviceCountLimit });
      return [clientId, { players: of(players), grants: of(grants), tokens: of(tokens) }];
    }),
  );
}

interface GrantsEnd {
  readonly of: GrantOwner & { readonly grantId?: string | undefined };
  readonly reason: "developer" | "admin";
  readonly why?: string;
  readonly notice: { readonly kind: string; readonly text: string };
}

/** Ends all grants in one statement, because after a leak there may be many. Consents stay. */
export async function endLiveGrants(
  ctx: Context,
  tx: Queryable,
  by: Administrator,
  { of, reason, why, notice }: GrantsEnd,
): Promise<{ players: number; grants: number }> {
  const { grantId } = of;
  const now = ctx.now();
  const at = sql`${now.toISOString()}::timestamptz`;
  const act: AuditedAct = `grant.revoked_by_${reason}`;
  const one = grantId === undefined ? undefined : eq(grants.id, grantId);
  const { held, ended, recorded } = grantEndQueries(tx, and(isLive(tx, of, now), one), {
    reason,
    now,
  });
  const told = tx.$with("told", {}).as(sql`
    insert into ${auditLog} (at, act, actor, account_id, client_id, request_id, address, details)
    select ${at}, ${act}::text, ${actorKey(by)}::text, account_id, client_id, ${by.from.requestId}::text,
      ${by.from.address}::text, jsonb_strip_nulls(jsonb_build_object(
        'grantId', grant_id, 'all', ${grantId === undefined}::boolean, 'reason', ${why ?? null}::text))
    from ended`);
  const noticed = tx.$with("noticed", {}).as(sql`
    insert into ${notices} (id, account_id, kind, text, created_at)
    select gen_random_uuid(), account_id, ${notice.kind}::text, ${notice.text}::text, ${at}
    from (select distinct account_id from ended) as players`);
  const [row = { players: 0, grants: 0 }] = await tx
    .with(held, ended, recorded, told, noticed)
    .select({ players: countDistinct(ended.accountId), grants: count() })
    .from(ended);
  afterCommit(tx, ctx.events.sequencer.wake);
  return row;
}

/** An exact count would read up to a million rows. */
const playerCountLimit = 10_000;

/** `calls` and `errors` cover 24 hours. */
export const noFigures = { users: noCount, tokens: noCount, calls: 0, errors: 0 };

/** @param known call figures that were already read */
export async function listFigures(
  database: Database,
  clientIds: readonly string[],
  now: Date,
  known?: Awaited<ReturnType<typeof readCallFigures>>,
): Promise<ReadonlyMap<string, typeof noFigures>> {
  if (clientIds.length === 0) return new Map();
  const [rows, calls] = await Promise.all([
    usage(database).execute({ clientIds: joinClientIds(clientIds), now: now.toISOString() }),
    known ?? readCallFigures(database, clientIds, now),
  ]);
  return new Map(
    rows.map(({ clientId, users, looked, tokens }) => [
      clientId,
      {
        ...(calls.get(clientId) ?? noFigures),
        users: cappedCountOf(users, { most: playerCountLimit }),
        tokens: cappedCountOf(tokens, { looked, most: deviceCountLimit }),
      },
    ]),
  );
}

const usage = (database: Database) =>
  database.statement("application_figures", ({ query }) => {
    const now = sql.placeholder("now");
    const [users, live] = [userCount(query, playerCountLimit, now), liveCountsQuery(query, now)];
    return query
      .select({
        clientId: applications.clientId,
        users: users.users,
        looked: live.looked,
        tokens: live.tokens,
      })
      .from(applications)
      .innerJoinLateral(users, sql`true`)
      .innerJoinLateral(live, sql`true`)
      .where(isInClientIds(applications.clientId))
      .prepare("application_figures");
  });

/** Each row is one user, because a unique index keeps one consent per player and application. */
function userCount(on: Queryable, most: number, now: SqlInstant) {
  const found = on
    .select({ until: consents.until })
    .from(consents)
    .where(and(eq(consents.clientId, applications.clientId), consentHolds(now)))
    .limit(most)
    .as("found");
  return on
    .select({ users: count().as("users") })
    .from(found)
    .as("counted");
}

export async function countUsersByClient(
  on: Queryable,
  asked: { readonly clientIds: readonly string[]; readonly most?: number },
  now: Date,
): Promise<ReadonlyMap<string, CappedCount>> {
  const { clientIds, most = playerCountLimit } = asked;
  if (clientIds.length === 0) return new Map();
  const counted = userCount(on, most, now);
  const rows = await on
    .select({ clientId: applications.clientId, users: counted.users })
    .from(applications)
    .innerJoinLateral(counted, sql`true`)
    .where(inArray(applications.clientId, [...clientIds]));
  return new Map(rows.map(({ clientId, users }) => [clientId, cappedCountOf(users, { most })]));
}
