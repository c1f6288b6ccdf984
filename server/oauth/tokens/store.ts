import { and, eq, gt, isNull, or, sql } from "drizzle-orm";
import type { Database, Queryable } from "#db/client";
import { accounts } from "#db/schema/accounts";
import { accessTokens, applications, consents, grants } from "#db/schema/oauth";
import { ownPlayerColumns, players } from "#db/schema/players";
import type { TokenHolder } from "../../actor";
import type { Authentication } from "../../context";
import type { Fingerprint } from "../../platform/crypto/keyring";
import { covers, type ScopeName } from "../../scopes";
import { knownScopes } from "../scope-list";

/** A live access token: whom it stands for, and when that ends. */
export interface LiveAccessToken extends Authentication {
  readonly expiresAt: Date;
  readonly issuedAt: Date;
}

/**
 * The live access token with this hash. What it opens is what its token, its consent and its application all still allow.
 * The hot path of every API call: one prepared statement on the pipelining connection.
 */
export async function findAccessToken(
  database: Database,
  hash: string,
  now: Date,
): Promise<LiveAccessToken | undefined> {
  const statement = database.statement("access_token_by_hash", ({ lookup }) =>
    selectLive(lookup).prepare("access_token_by_hash"),
  );
  const [row] = await statement.execute({ hash, now: now.toISOString() });
  if (!row) return undefined;
  const actor: TokenHolder = {
    kind: "token",
    accountId: row.accountId,
    playerId: row.playerId,
    clientId: row.clientId,
    consentId: row.consentId,
    grantId: row.grantId,
    scopes: stillAllowed(row),
  };
  const standing = row.suspendedAt ? "suspended" : row.pausedAt ? "paused" : "active";
  const expiresAt = row.until && row.until < row.expiresAt ? row.until : row.expiresAt;
  return { actor, standing, expiresAt, issuedAt: row.issuedAt, player: row.player };
}

const selectLive = (on: Queryable) =>
  on
    .select({
      scopes: accessTokens.scopes,
      issuedAt: accessTokens.issuedAt,
      expiresAt: accessTokens.expiresAt,
      grantId: accessTokens.grantId,
      consentId: consents.id,
      consented: consents.scopes,
      until: consents.until,
      pausedAt: consents.pausedAt,
      clientId: applications.clientId,
      registered: applications.scopes,
      suspendedAt: applications.suspendedAt,
      accountId: accounts.id,
      playerId: accounts.playerId,
      // Read along, so that the call that applications make most needs one round trip.
      player: ownPlayerColumns,
    })
    .from(accessTokens)
    .innerJoin(grants, eq(grants.id, accessTokens.grantId))
    .innerJoin(consents, eq(consents.id, grants.consentId))
    .innerJoin(applications, eq(applications.clientId, consents.clientId))
    .innerJoin(accounts, eq(accounts.id, consents.accountId))
    .innerJoin(players, eq(players.id, accounts.playerId))
    .where(
      and(
        eq(accessTokens.hash, sql.placeholder("hash")),
        isNull(accessTokens.revokedAt),
        gt(accessTokens.expiresAt, sql.placeholder("now")),
        isNull(grants.revokedAt),
        isNull(consents.revokedAt),
        or(isNull(consents.until), gt(consents.until, sql.placeholder("now"))),
        isNull(applications.deletedAt),
        isNull(accounts.bannedAt),
      ),
    );

function stillAllowed(row: {
  readonly scopes: string[];
  readonly consented: string[];
  readonly registered: string[];
}): ScopeName[] {
  const consented = knownScopes(row.consented);
  const registered = knownScopes(row.registered);
  return knownScopes(row.scopes).filter((scope) => covers(consented, scope) && covers(registered, scope));
}

/** Moves a token to the current server secret. Only its hash changes. */
export async function moveAccessToken(on: Queryable, move: { from: string; to: Fingerprint }): Promise<void> {
  await on
    .update(accessTokens)
    .set({ hash: move.to.hash, hashKeyId: move.to.keyId })
    .where(eq(accessTokens.hash, move.from));
}

/** Stores a new access token. */
export async function insertAccessToken(
  on: Queryable,
  token: {
    readonly print: Fingerprint;
    readonly grantId: string;
    readonly scopes: readonly ScopeName[];
    readonly issuedAt: Date;
    readonly expiresAt: Date;
  },
): Promise<void> {
  const { print, grantId, scopes, issuedAt, expiresAt } = token;
  await on
    .insert(accessTokens)
    .values({ hash: print.hash, hashKeyId: print.keyId, grantId, scopes: [...scopes], issuedAt, expiresAt });
}

/** Revokes the one token with this hash. @returns whether there was a live one */
export async function revokeAccessToken(on: Queryable, hash: string, now: Date): Promise<boolean> {
  const revoked = await on
    .update(accessTokens)
    .set({ revokedAt: now })
    .where(and(eq(accessTokens.hash, hash), isNull(accessTokens.revokedAt)))
    .returning({ hash: accessTokens.hash });
  return revoked.length > 0;
}
