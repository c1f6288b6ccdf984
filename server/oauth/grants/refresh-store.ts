import { eq, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import type { Queryable } from "#db/client";
import { accounts } from "#db/schema/accounts";
import { accessTokens, applications, consents, grants, refreshTokens } from "#db/schema/oauth";
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
