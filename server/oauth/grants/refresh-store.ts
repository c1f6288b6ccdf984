import { eq, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import type { Database, Handles, Queryable } from "#db/client";
import { accounts } from "#db/schema/accounts";
import { accessTokens, applications, consents, grants, refreshTokens } from "#db/schema/oauth";
import type { Origin } from "../../audit/audit";
import type { Fingerprint } from "../../platform/crypto/keyring";
import type { ScopeName } from "../../scopes";
import { knownScopes } from "../scope-list";
import type { GrantStanding } from "./standing";
import { standingColumns, withScopeNames } from "./store";

/** A refresh token as stored, with the grant that it belongs to and what became of its successor. */
export interface StoredRefreshToken extends GrantStanding {
  readonly expiresAt: Date;
  readonly consumedAt: Date | null;
  readonly sealedReply: string | null;
  /** Whether the token that replaced this one was used in its turn. */
  readonly successorUsed: boolean;
}

/** One step of a chain: the presented token is consumed, and the access token issued with it gives way to a new pair. */
export interface Rotation {
  readonly presentedHash: string;
  readonly clientId: string;
  /** The narrower scopes asked for, or null for all that the grant has. */
  readonly wished: readonly ScopeName[] | null;
  readonly access: Fingerprint;
  readonly refresh: Fingerprint;
  readonly sealedReply: string;
  readonly now: Date;
  readonly accessExpiresAt: Date;
  readonly refreshExpiresAt: Date;
  readonly origin: Origin;
}

/** What a rotation issued. */
export interface Rotated {
  readonly grantId: string;
  readonly scopes: ScopeName[];
  readonly expiresAt: Date;
}

export async function insertRefreshToken(
  on: Queryable,
  token: { readonly print: Fingerprint; readonly grantId: string; readonly issuedAt: Date; readonly expiresAt: Date },
): Promise<void> {
  const { print, ...row } = token;
  await on.insert(refreshTokens).values({ ...row, hash: print.hash, hashKeyId: print.keyId });
}

/** The refresh token with this hash, whatever became of it. */
export async function findRefreshToken(on: Queryable, hash: string): Promise<StoredRefreshToken | undefined> {
  const successor = alias(refreshTokens, "successor");
  const [row] = await on
    .select({
      ...standingColumns,
      expiresAt: refreshTokens.expiresAt,
      consumedAt: refreshTokens.consumedAt,
      sealedReply: refreshTokens.sealedReply,
      successorUsed: sql<boolean>`${successor.consumedAt} is not null`,
    })
    .from(refreshTokens)
    .leftJoin(successor, eq(successor.hash, refreshTokens.successorHash))
    .innerJoin(grants, eq(grants.id, refreshTokens.grantId))
    .innerJoin(consents, eq(consents.id, grants.consentId))
    .innerJoin(applications, eq(applications.clientId, consents.clientId))
    .innerJoin(accounts, eq(accounts.id, consents.accountId))
    .where(eq(refreshTokens.hash, hash));
  return row && withScopeNames(row);
}

/** What the access token with this hash was issued with, dead or alive. */
export async function findIssued(
  on: Queryable,
  hash: string,
): Promise<{ scopes: ScopeName[]; issuedAt: Date; expiresAt: Date } | undefined> {
  const [row] = await on
    .select({ scopes: accessTokens.scopes, issuedAt: accessTokens.issuedAt, expiresAt: accessTokens.expiresAt })
    .from(accessTokens)
    .where(eq(accessTokens.hash, hash));
  return row && { ...row, scopes: knownScopes(row.scopes) };
}

const slot = (name: string) => sql.placeholder(name);
const instantSlot = (name: string) => sql`${slot(name)}::timestamptz`;

/** `covers` of server/scopes.ts, in SQL. */
const covered = (scope: string, held: string) =>
  sql.raw(`(${scope} = any(${held}) or (${scope} like 'faction:%' and 'faction' = any(${held})))`);

/**
 * Joins the one row with this key. The planner may not look for another way: it would walk all consents of a popular
 * application for each refresh, with a plan from the days when it had few.
 */
const byKey = (table: string, key: string) =>
  sql.raw(`cross join lateral (select * from ${table} where ${key} offset 0) as ${table}`);

/**
 * One statement is one transaction and one round trip. Of two that race, the second waits for the first and then finds
 * `consumed_at` set: its first part yields no row, and everything after is fed by that row alone.
 */
function prepareRotation({ urgent: { query } }: Pick<Handles, "urgent">) {
  const consumed = query
    .$with("consumed", {
      grantId: sql<string>`grant_id`.as("grant_id"),
      scopes: sql<string[]>`scopes`.as("scopes"),
      expiresAt: sql<Date>`expires_at`.mapWith(accessTokens.expiresAt).as("expires_at"),
    })
    .as(sql`
      update refresh_tokens as presented
      set consumed_at = ${instantSlot("now")}, successor_hash = ${slot("refreshHash")}, sealed_reply = ${slot("sealedReply")}
      from (
          select hash, grant_id from refresh_tokens
          where hash = ${slot("presentedHash")} and consumed_at is null and expires_at > ${instantSlot("now")}
          for update
        ) as held
        ${byKey("grants", "grants.id = held.grant_id")}
        ${byKey("consents", "consents.id = grants.consent_id")}
        ${byKey("applications", "applications.client_id = consents.client_id")}
        ${byKey("accounts", "accounts.id = consents.account_id")}
      where presented.hash = held.hash
        and grants.revoked_at is null and grants.absolute_expiry > ${instantSlot("now")}
        and consents.client_id = ${slot("clientId")} and consents.revoked_at is null and consents.paused_at is null
        and (consents.until is null or consents.until > ${instantSlot("now")})
        and applications.deleted_at is null and applications.suspended_at is null
        and accounts.banned_at is null
        and not exists (
          select 1 from unnest(${slot("wished")}::text[]) as wished(scope) where not ${covered("wished.scope", "grants.scopes")}
        )
      returning grants.id as grant_id, consents.account_id, presented.issued_at as paired_at,
        least(grants.absolute_expiry, consents.until) as ends_at,
        least(${instantSlot("accessExpiresAt")}, grants.absolute_expiry, consents.until) as expires_at,
        array(
          select wished.scope from unnest(coalesce(${slot("wished")}::text[], grants.scopes)) with ordinality as wished(scope, place)
          where ${covered("wished.scope", "consents.scopes")} and ${covered("wished.scope", "applications.scopes")}
          order by wished.place
        ) as scopes`);
  const revoked = query.$with("revoked", {}).as(sql`
    update access_tokens as paired set revoked_at = ${instantSlot("now")} from consumed
    where paired.grant_id = consumed.grant_id and paired.issued_at = consumed.paired_at and paired.revoked_at is null`);
  const issued = query.$with("issued", {}).as(sql`
    insert into access_tokens (hash, hash_key_id, grant_id, scopes, issued_at, expires_at)
    select ${slot("accessHash")}, ${slot("keyId")}, grant_id, scopes, ${instantSlot("now")}, expires_at from consumed`);
  const renewed = query.$with("renewed", {}).as(sql`
    insert into refresh_tokens (hash, hash_key_id, grant_id, issued_at, expires_at)
    select ${slot("refreshHash")}, ${slot("keyId")}, grant_id, ${instantSlot("now")},
      least(${instantSlot("refreshExpiresAt")}, ends_at) from consumed`);
  // The event stands or falls with the act, and a round trip of its own would cost as much as the rest.
  const told = query.$with("told", {}).as(sql`
    insert into audit_log (at, act, actor, account_id, client_id, request_id, address, details)
    select ${instantSlot("now")}, 'tokens-refreshed', ${slot("actor")}, account_id, ${slot("clientId")}, ${slot("requestId")},
      ${slot("address")}, jsonb_build_object('grantId', grant_id, 'scopes', scopes) from consumed`);
  return query
    .with(consumed, revoked, issued, renewed, told)
    .select({ grantId: consumed.grantId, scopes: consumed.scopes, expiresAt: consumed.expiresAt })
    .from(consumed)
    .prepare("rotate_refresh_token");
}

/** Moves the chain on, or does nothing at all: then the token is unknown, used, expired, or its grant does not allow it. */
export async function rotate(database: Database, rotation: Rotation): Promise<Rotated | undefined> {
  const { clientId, wished, origin } = rotation;
  const [row] = await database.statement("rotate_refresh_token", prepareRotation).execute({
    presentedHash: rotation.presentedHash,
    clientId,
    wished: wished && `{${wished.map((scope) => `"${scope}"`).join(",")}}`,
    accessHash: rotation.access.hash,
    refreshHash: rotation.refresh.hash,
    keyId: rotation.access.keyId,
    sealedReply: rotation.sealedReply,
    now: rotation.now.toISOString(),
    accessExpiresAt: rotation.accessExpiresAt.toISOString(),
    refreshExpiresAt: rotation.refreshExpiresAt.toISOString(),
    actor: `client:${clientId}`,
    requestId: origin.requestId,
    address: origin.address,
  });
  return row && { ...row, scopes: knownScopes(row.scopes) };
}
