import { and, eq, isNull } from "drizzle-orm";
import type { Queryable } from "#db/client";
import { accounts } from "#db/schema/accounts";
import { applications, authorizationCodes, consents, grants } from "#db/schema/oauth";
import type { KeyedHash } from "#server/platform/crypto/keyring";
import type { ScopeName } from "#server/scopes";
import { knownScopes } from "../scope-list";
import { accountMarks, applicationMarks, consentMarks, type GrantStatus, grantMarks } from "./grant-status";

/** Why a grant was ended. */
export type EndReason = NonNullable<(typeof grants.$inferSelect)["revokedFor"]>;

/** A code as stored, with the grant that it stands for. */
export interface StoredCode extends GrantStatus {
  readonly hash: string;
  readonly redirectUri: string;
  readonly codeChallenge: string | null;
  readonly expiresAt: Date;
  readonly consumedAt: Date | null;
}

/** The columns that say how a grant stands; for queries that join grant, consent, application and account. */
export const grantStatusColumns = {
  grantId: grants.id,
  consentId: consents.id,
  accountId: consents.accountId,
  clientId: consents.clientId,
  scopes: grants.scopes,
  consented: consents.scopes,
  registered: applications.scopes,
  ...grantMarks,
  ...consentMarks,
  ...applicationMarks,
  ...accountMarks,
};

/** Turns the scope columns of such a row into scope names. */
export const withScopeNames = <Row extends { scopes: string[]; consented: string[]; registered: string[] }>(
  row: Row,
) => ({
  ...row,
  scopes: knownScopes(row.scopes),
  consented: knownScopes(row.consented),
  registered: knownScopes(row.registered),
});

export async function insertGrant(
  on: Queryable,
  grant: {
    readonly id: string;
    readonly consentId: string;
    readonly clientId: string;
    readonly scopes: readonly ScopeName[];
    readonly createdAt: Date;
    readonly absoluteExpiry: Date;
  },
): Promise<void> {
  await on.insert(grants).values({ ...grant, scopes: [...grant.scopes] });
}

/** Ends a grant with everything below it. @returns false when it had ended before */
export async function endGrant(
  on: Queryable,
  { grantId, reason }: { readonly grantId: string; readonly reason: EndReason },
  now: Date,
): Promise<boolean> {
  const ended = await on
    .update(grants)
    .set({ revokedAt: now, revokedFor: reason })
    .where(and(eq(grants.id, grantId), isNull(grants.revokedAt)))
    .returning({ id: grants.id });
  return ended.length > 0;
}

export async function insertCode(
  on: Queryable,
  code: {
    readonly print: KeyedHash;
    readonly grantId: string;
    readonly clientId: string;
    readonly redirectUri: string;
    readonly codeChallenge: string | null;
    readonly createdAt: Date;
    readonly expiresAt: Date;
  },
): Promise<void> {
  const { print, ...row } = code;
  await on.insert(authorizationCodes).values({ ...row, hash: print.hash, hashKeyId: print.keyId });
}

/** The code with this hash, whatever became of it. */
export async function findCode(on: Queryable, hash: string): Promise<StoredCode | undefined> {
  const [row] = await on
    .select({
      ...grantStatusColumns,
      hash: authorizationCodes.hash,
      redirectUri: authorizationCodes.redirectUri,
      codeChallenge: authorizationCodes.codeChallenge,
      expiresAt: authorizationCodes.expiresAt,
      consumedAt: authorizationCodes.consumedAt,
    })
    .from(authorizationCodes)
    .innerJoin(grants, eq(grants.id, authorizationCodes.grantId))
    .innerJoin(consents, eq(consents.id, grants.consentId))
    .innerJoin(applications, eq(applications.clientId, consents.clientId))
    .innerJoin(accounts, eq(accounts.id, consents.accountId))
    .where(eq(authorizationCodes.hash, hash));
  return row && withScopeNames(row);
}
