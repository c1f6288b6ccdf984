import { eq, inArray, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import type { Database, PoolHandles, Queryable } from "#db/client";
import { retryConflict } from "#db/error-codes";
import type { RequestTiming } from "#db/expressions";
import { accounts } from "#db/schema/accounts";
import { accessTokens, applications, consents, grants, refreshTokens } from "#db/schema/oauth";
import { columnsOf, first } from "#db/select";
import type { RequestSource } from "#server/actor";
import type { KeyedHash } from "#server/platform/keyring";
import type { ScopeName } from "#server/scopes";
import {
  accountStateColumns,
  applicationStateColumns,
  consentStateColumns,
  grantEndSql,
  grantStateColumns,
  isNotInState,
  isScopeCovered,
  selectEffectiveScopes,
} from "./grant-status";
import { grantStatusColumns } from "./store";

export type StoredRefreshToken = NonNullable<Awaited<ReturnType<typeof findRefreshToken>>>;

export function findRefreshToken(on: Queryable, hashes: readonly string[]) {
  const successor = alias(refreshTokens, "successor");
  return first(
    on
      .select({
        ...grantStatusColumns,
        ...columnsOf(refreshTokens, ["hash", "expiresAt", "consumedAt", "sealedReply"]),
        successorUsed: sql<boolean>`${successor.consumedAt} is not null`,
      })
      .from(refreshTokens)
      .leftJoin(successor, eq(successor.hash, refreshTokens.successorHash))
      .innerJoin(grants, eq(grants.id, refreshTokens.grantId))
      .innerJoin(consents, eq(consents.id, grants.consentId))
      .innerJoin(applications, eq(applications.clientId, consents.clientId))
      .innerJoin(accounts, eq(accounts.id, consents.accountId))
      .where(inArray(refreshTokens.hash, [...hashes])),
  );
}

export const findIssued = (on: Queryable, hashes: readonly string[]) =>
  first(
    on
      .select(columnsOf(accessTokens, ["scopes", "issuedAt", "expiresAt"]))
      .from(accessTokens)
      .where(inArray(accessTokens.hash, [...hashes])),
  );

export interface Rotation {
  readonly presentedHash: string;
  readonly clientId: string;
  /** Null for all scopes of the grant. */
  readonly requested: readonly ScopeName[] | null;
  readonly access: KeyedHash;
  readonly refresh: KeyedHash;
  readonly sealedReply: string;
  readonly requestTime: RequestTiming;
  readonly accessSeconds: number;
  readonly refreshSeconds: number;
  readonly from: RequestSource;
}

export type RotationResult = Pick<
  typeof accessTokens.$inferSelect,
  "grantId" | "scopes" | "issuedAt" | "expiresAt"
>;

/**
 * `offset 0` forces a lookup by key: a plan cached for small tables would walk all consents of a
 * popular application per refresh.
 */
const byKey = (table: string, key: string) =>
  sql.raw(`cross join lateral (select * from ${table} where ${key} offset 0) as ${table}`);

/**
 * Columns of the JSON parameter. Requests past `until` are skipped; without `own_time`, the
 * database's clock counts.
 */
const requests =
  sql.raw(`request (presented text, client_id text, requested text[], access text, refresh text, key_id text,
  sealed text, own_time timestamptz, until timestamptz, access_seconds integer, refresh_seconds integer,
  request_id text, address text)`);
const executed = sql.raw(
  "coalesce(request.own_time, date_trunc('milliseconds', statement_timestamp()))",
);

/**
 * Concurrent rotations share one round trip, transaction and disk flush. A refused request yields
 * no row. Of two requests for one token, the second waits and finds `consumed_at` set.
 */
function prepareRotations({ tokenPool: { query } }: Pick<PoolHandles, "tokenPool">) {
  const marks = {
    ...grantStateColumns,
    ...consentStateColumns,
    ...applicationStateColumns,
    ...accountStateColumns,
  };
  const isLive = isNotInState(["ended", "banned", "suspended", "paused"], marks, sql`request.at`);
  const scope = sql`asked.scope`;
  const consumed = query
    .$with("consumed", {
      presented: sql<string>`presented`.as("presented"),
      grantId: sql<string>`grant_id`.as("grant_id"),
      scopes: sql<ScopeName[]>`scopes`.as("scopes"),
      issuedAt: sql<Date>`at`.mapWith(accessTokens.issuedAt).as("at"),
      expiresAt: sql<Date>`expires_at`.mapWith(accessTokens.expiresAt).as("expires_at"),
    })
    .as(sql`
      update refresh_tokens as used
      set consumed_at = request.at, successor_hash = request.refresh, sealed_reply = request.sealed
      from (
          select request.*, ${executed} as at from json_to_recordset(${sql.placeholder("requests")}::json) as ${requests}
          where request.until is null or statement_timestamp() < request.until
        ) as request
        cross join lateral (
          select hash, grant_id from refresh_tokens
          where hash = request.presented and consumed_at is null and expires_at > request.at
          offset 0 for update
        ) as held
        ${byKey("grants", "grants.id = held.grant_id")}
        ${byKey("consents", "consents.id = grants.consent_id")}
        ${byKey("applications", "applications.client_id = consents.client_id")}
        ${byKey("accounts", "accounts.id = consents.account_id")}
      where used.hash = held.hash
        and consents.client_id = request.client_id and ${isLive}
        and not exists (
          select 1 from unnest(request.requested) as asked(scope) where not ${isScopeCovered(scope, grants.scopes)}
        )
      returning request.*, grants.id as grant_id, consents.account_id, used.issued_at as paired_at,
        ${grantEndSql} as ends_at,
        least(request.at + request.access_seconds * interval '1 second', ${grantEndSql}) as expires_at,
        array(${selectEffectiveScopes(sql`coalesce(request.requested, grants.scopes)`)}) as scopes`);
  const revoked = query.$with("revoked", {}).as(sql`
    update access_tokens as paired set revoked_at = consumed.at from consumed
    where paired.grant_id = consumed.grant_id and paired.issued_at = consumed.paired_at and paired.revoked_at is null`);
  const issued = query.$with("issued", {}).as(sql`
    insert into access_tokens (hash, hash_key_id, grant_id, scopes, issued_at, expires_at)
    select access, key_id, grant_id, scopes, at, expires_at from consumed`);
  const renewed = query.$with("renewed", {}).as(sql`
    insert into refresh_tokens (hash, hash_key_id, grant_id, issued_at, expires_at)
    select refresh, key_id, grant_id, at, least(at + refresh_seconds * interval '1 second', ends_at) from consumed`);
  // The audit is in the same statement, because a second round trip would double the cost.
  const told = query.$with("told", {}).as(sql`
    insert into audit_log (at, act, actor, account_id, client_id, request_id, address, details)
    select at, 'token.refreshed', 'client:' || client_id, account_id, client_id, request_id, address,
      jsonb_build_object('grantId', grant_id, 'scopes', scopes) from consumed`);
  return query
    .with(consumed, revoked, issued, renewed, told)
    .select({
      presented: consumed.presented,
      grantId: consumed.grantId,
      scopes: consumed.scopes,
      issuedAt: consumed.issuedAt,
      expiresAt: consumed.expiresAt,
    })
    .from(consumed)
    .prepare("rotate_refresh_tokens");
}

/** The result leaves out refused requests. Two rotations must not present the same token. */
export async function rotateRefreshTokens(
  database: Database,
  rotations: readonly Rotation[],
): Promise<ReadonlyMap<string, RotationResult>> {
  // Rows are locked in one order, to avoid deadlocks.
  const ordered = [...rotations].sort((a, b) => (a.presentedHash < b.presentedHash ? -1 : 1));
  const statement = database.statement("rotate_refresh_tokens", prepareRotations);
  const rows = await retryConflict(() =>
    statement.execute({ requests: JSON.stringify(ordered.map(requestRow)) }),
  );
  return new Map(rows.map(({ presented, ...rotated }) => [presented, rotated]));
}

const requestRow = (rotation: Rotation) => ({
  presented: rotation.presentedHash,
  client_id: rotation.clientId,
  requested: rotation.requested,
  access: rotation.access.hash,
  refresh: rotation.refresh.hash,
  key_id: rotation.access.keyId,
  sealed: rotation.sealedReply,
  own_time: rotation.requestTime.until === null ? rotation.requestTime.at : null,
  until: rotation.requestTime.until,
  access_seconds: rotation.accessSeconds,
  refresh_seconds: rotation.refreshSeconds,
  request_id: rotation.from.requestId,
  address: rotation.from.address,
});
