import { and, eq, inArray, isNull, sql } from "drizzle-orm";
import type { AnyPgColumn } from "drizzle-orm/pg-core";
import type { Database, Queryable } from "#db/client";
import { accounts } from "#db/schema/accounts";
import { accessTokens, applications, consents, grants } from "#db/schema/oauth";
import type { DeadToken } from "#db/schema/operations";
import { ownPlayerColumns, players } from "#db/schema/players";
import type { TokenHolder } from "#server/actor";
import type { Authentication } from "#server/context";
import type { KeyedHash } from "#server/platform/keyring";
import { earlier } from "#server/platform/time";
import { isScopeName, type ScopeName } from "#server/scopes";
import {
  accountMarks,
  applicationMarks,
  consentMarks,
  effectiveScopes,
  endOf,
  grantMarks,
  grantState,
  isNotIn,
} from "../grants/grant-status";

/** A live access token: its subject, and when it expires. */
export interface LiveAccessToken extends Authentication {
  /** The hash under which it is stored. */
  readonly hash: string;
  readonly expiresAt: Date;
  readonly issuedAt: Date;
}

/**
 * The live access token that is stored under one of these hashes: its own under each server secret in force. One look for
 * them all, because it may move from one to another between two.
 */
export async function findAccessToken(
  database: Database,
  hashes: readonly string[],
  now: Date,
): Promise<LiveAccessToken | undefined> {
  const [found] = (await findAccessTokens(database, hashes, now)).values();
  return found;
}

/**
 * The live access tokens among these hashes. What each opens is what its token, its consent and its application all still
 * allow. The hot path of every API call: one prepared statement on the pipelining connection, for all calls of a moment.
 */
export async function findAccessTokens(
  database: Database,
  hashes: readonly string[],
  now: Date,
): Promise<ReadonlyMap<string, LiveAccessToken>> {
  const statement = database.statement("access_tokens_by_hash", ({ keyPool }) =>
    selectLive(keyPool).prepare("access_tokens_by_hash"),
  );
  const rows = await statement.execute({ hashes: hashes.join(separator), now: now.toISOString() });
  // Not asked of PostgreSQL: while there are few thousand tokens it would go through all that live, by the index of their ends.
  const live = rows.filter(({ expiresAt }) => expiresAt > now);
  return new Map(live.map((row) => [row.hash, liveToken(row, now)]));
}

type LiveRow = Awaited<ReturnType<typeof selectLive>>[number];

function liveToken(row: LiveRow, now: Date): LiveAccessToken {
  const state = grantState<"suspendedAt" | "pausedAt">(row, now);
  const covered = { consented: scopesIn(row.consented), registered: scopesIn(row.registered) };
  const actor: TokenHolder = {
    kind: "token",
    accountId: row.accountId,
    playerId: row.playerId,
    clientId: row.clientId,
    consentId: row.consentId,
    grantId: row.grantId,
    scopes: effectiveScopes(covered, scopesIn(row.scopes)),
  };
  return {
    hash: row.hash,
    actor,
    status: state === "live" ? "active" : state,
    expiresAt: earlier(row.expiresAt, row.until),
    issuedAt: row.issuedAt,
    player: row.player,
  };
}

// One text parameter: the driver would ask PostgreSQL for the type of a list first. Hashes hold no comma.
const separator = ",";
const isAmongHashes = sql`${accessTokens.hash} = any(string_to_array(${sql.placeholder("hashes")}, ${sql.raw(`'${separator}'`)}))`;

/** A list of scopes as OAuth writes it (RFC 6749 section 3.3): taking PostgreSQL's notation of a list apart costs more. */
const asText = (list: AnyPgColumn) => sql<string>`array_to_string(${list}, ' ')`;

function selectLive(on: Queryable) {
  const now = sql.placeholder("now");
  // A lateral lookup with a limit stays one by key: else a plan for empty tables begins with the index of all live consents.
  const consent = on
    .select({
      id: consents.id,
      accountId: consents.accountId,
      clientId: consents.clientId,
      scopes: asText(consents.scopes).as("consented"),
      until: consents.until,
      pausedAt: consents.pausedAt,
    })
    .from(consents)
    .where(and(eq(consents.id, grants.consentId), isNotIn(["ended"], consentMarks, now)))
    .limit(1)
    .as("consent");
  return on
    .select({
      hash: accessTokens.hash,
      scopes: asText(accessTokens.scopes),
      issuedAt: accessTokens.issuedAt,
      expiresAt: accessTokens.expiresAt,
      grantId: accessTokens.grantId,
      consentId: consent.id,
      consented: consent.scopes,
      until: consent.until,
      pausedAt: consent.pausedAt,
      clientId: applications.clientId,
      registered: asText(applications.scopes),
      suspendedAt: applications.suspendedAt,
      accountId: accounts.id,
      playerId: accounts.playerId,
      // Read along, so that the call that applications make most needs one round trip.
      player: ownPlayerColumns,
    })
    .from(accessTokens)
    .innerJoin(grants, eq(grants.id, accessTokens.grantId))
    .innerJoinLateral(consent, sql`true`)
    .innerJoin(applications, eq(applications.clientId, consent.clientId))
    .innerJoin(accounts, eq(accounts.id, consent.accountId))
    .innerJoin(players, eq(players.id, accounts.playerId))
    .where(
      and(
        isAmongHashes,
        isNull(accessTokens.revokedAt),
        isNotIn(["ended", "banned"], { ...grantMarks, ...applicationMarks, ...accountMarks }, now),
      ),
    );
}

/** Stored names that this release knows. */
const scopesIn = (text: string): ScopeName[] => text.split(" ").filter(isScopeName);

/** Moves a token to the current server secret. Only its hash changes. */
export async function moveAccessToken(
  on: Queryable,
  move: { from: string; to: KeyedHash },
): Promise<void> {
  await on
    .update(accessTokens)
    .set({ hash: move.to.hash, hashKeyId: move.to.keyId })
    .where(eq(accessTokens.hash, move.from));
}

/** Revokes the one token that is stored under one of these hashes, its own. @returns whether there was a live one */
export async function revokeAccessToken(
  on: Queryable,
  hashes: readonly string[],
  now: Date,
): Promise<boolean> {
  const revoked = await on
    .update(accessTokens)
    .set({ revokedAt: now })
    .where(and(inArray(accessTokens.hash, [...hashes]), isNull(accessTokens.revokedAt)))
    .returning({ hash: accessTokens.hash });
  return revoked.length > 0;
}

/** The application and account that an access token belongs or belonged to. */
interface TokenOwner {
  readonly clientId: string;
  readonly accountId: string;
  /** How it ended by the given instant; null where it lives, or where only others may know. */
  readonly ended: DeadToken | null;
}

/** The owners of these tokens, live or dead, by hash: of those whose rows still stand. */
export async function findTokenOwners(
  on: Queryable,
  hashes: readonly string[],
  now: Date,
): Promise<ReadonlyMap<string, TokenOwner>> {
  if (hashes.length === 0) return new Map();
  const rows = await on
    .select({
      hash: accessTokens.hash,
      clientId: consents.clientId,
      accountId: consents.accountId,
      expiresAt: accessTokens.expiresAt,
      revokedAt: accessTokens.revokedAt,
      absoluteExpiry: grants.absoluteExpiry,
      grantRevokedAt: grants.revokedAt,
      revokedFor: grants.revokedFor,
      until: consents.until,
      consentRevokedAt: consents.revokedAt,
    })
    .from(accessTokens)
    .innerJoin(grants, eq(grants.id, accessTokens.grantId))
    .innerJoin(consents, eq(consents.id, grants.consentId))
    .where(inArray(accessTokens.hash, [...hashes]));
  return new Map(rows.map(({ hash, ...row }) => [hash, { ...row, ended: endingOf(row, now) }]));
}

type TokenEnds = Readonly<
  Record<"expiresAt" | "absoluteExpiry", Date> &
    Record<"revokedAt" | "grantRevokedAt" | "until" | "consentRevokedAt", Date | null>
> & { readonly revokedFor: string | null };

/** The strongest cause first: who lost the grant is not helped by a refresh. */
function endingOf(row: TokenEnds, now: Date): DeadToken | null {
  const revoked = row.grantRevokedAt ?? row.consentRevokedAt;
  if (revoked && row.revokedFor !== "expired")
    return { ended: "revoked", at: revoked.toISOString(), by: row.revokedFor ?? "player" };
  if (row.revokedAt) return { ended: "replaced", at: row.revokedAt.toISOString() };
  const end = row.expiresAt < endOf(row) ? row.expiresAt : endOf(row);
  return end <= now ? { ended: "expired", at: end.toISOString() } : null;
}
