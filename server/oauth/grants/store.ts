import { and, eq, gt, gte, isNull, lte, or, sql } from "drizzle-orm";
import type { Queryable } from "#db/client";
import { accounts } from "#db/schema/accounts";
import { applications, authorizationCodes, consents, grants } from "#db/schema/oauth";
import type { KeyedHash } from "#server/platform/crypto/keyring";
import type { ScopeName } from "#server/scopes";
import { knownScopes } from "../scope-list";
import {
  accountMarks,
  applicationMarks,
  consentMarks,
  effectiveScopes,
  type GrantStatus,
  grantMarks,
  isNotIn,
} from "./grant-status";

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

/** Below what grants are meant: a consent, one of its grants, or an account; of an account all, or those that the player did not pause. */
export type Above =
  | { readonly consentId: string }
  | { readonly grantId: string }
  | { readonly accountId: string; readonly unpaused?: true };

/** Grants that have not ended, with their player, application and effective scopes. */
export async function listGrantsBelow(tx: Queryable, above: Above, now: Date) {
  const rows = await tx
    .select({
      grantId: grants.id,
      clientId: grants.clientId,
      playerId: accounts.playerId,
      scopes: grants.scopes,
      consented: consents.scopes,
      registered: applications.scopes,
    })
    .from(grants)
    .innerJoin(consents, eq(consents.id, grants.consentId))
    .innerJoin(applications, eq(applications.clientId, consents.clientId))
    .innerJoin(accounts, eq(accounts.id, consents.accountId))
    .where(
      and(
        "consentId" in above ? eq(consents.id, above.consentId) : undefined,
        "grantId" in above ? eq(grants.id, above.grantId) : undefined,
        "accountId" in above ? eq(consents.accountId, above.accountId) : undefined,
        "unpaused" in above ? isNull(consents.pausedAt) : undefined,
        isNotIn(["ended"], { ...grantMarks, ...consentMarks, ...applicationMarks }, now),
      ),
    );
  return rows.map(withScopeNames).map(({ grantId, clientId, playerId, ...row }) => ({
    ...{ grantId, clientId, playerId },
    scopes: effectiveScopes(row, row.scopes),
  }));
}

/** Grants whose own time, or whose consent's, ran out after the first instant and not after the second. */
export async function listExpiredGrants(tx: Queryable, { after, until }: { after: Date; until: Date }) {
  // Written as the index has it.
  const end = sql`(${grants.absoluteExpiry} at time zone 'UTC')`;
  const utc = (at: Date) => sql`(${at.toISOString()}::timestamptz at time zone 'UTC')`;
  const select = () =>
    tx
      .select({ grantId: grants.id, clientId: grants.clientId, playerId: accounts.playerId })
      .from(grants)
      .innerJoin(consents, eq(consents.id, grants.consentId))
      .innerJoin(accounts, eq(accounts.id, consents.accountId));
  // What was revoked once it was over, as a consent that is asked again, ended by its time all the same.
  const lastedUntil = (over: typeof grants.absoluteExpiry | typeof consents.until) =>
    and(...[grants.revokedAt, consents.revokedAt].map((at) => or(isNull(at), gte(at, over))));
  const own = await select().where(
    and(
      lastedUntil(grants.absoluteExpiry),
      ...[gt(end, utc(after)), lte(end, utc(until))],
      or(isNull(consents.until), gt(consents.until, after)),
    ),
  );
  const byConsent = await select().where(
    and(
      lastedUntil(consents.until),
      ...[gt(consents.until, after), lte(consents.until, until)],
      gt(grants.absoluteExpiry, after),
    ),
  );
  return [...new Map([...own, ...byConsent].map((grant) => [grant.grantId, grant])).values()];
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
