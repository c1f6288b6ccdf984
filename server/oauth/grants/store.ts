import { and, desc, eq, inArray, isNull, type SQL, sql } from "drizzle-orm";
import type { Queryable } from "#db/client";
import { retryConflict } from "#db/error-codes";
import { executedAt, instantSql, isBeforeDeadline, type RequestTiming } from "#db/expressions";
import { accounts } from "#db/schema/accounts";
import { accessTokens, applications, authorizationCodes, consents, grants } from "#db/schema/oauth";
import { players } from "#db/schema/players";
import { columnsOf, first } from "#db/select";
import type { ClientActor } from "#server/actor";
import { actorKey } from "#server/audit/audit";
import type { KeyedHash } from "#server/platform/keyring";
import type { ScopeName } from "#server/scopes";
import {
  accountStateColumns,
  applicationStateColumns,
  consentStateColumns,
  effectiveScopes,
  grantEndOf,
  grantStateColumns,
  isNotInState,
} from "./grant-status";

export const grantStatusColumns = {
  grantId: grants.id,
  consentId: consents.id,
  accountId: consents.accountId,
  clientId: consents.clientId,
  scopes: grants.scopes,
  consented: consents.scopes,
  registered: applications.scopes,
  ...grantStateColumns,
  ...consentStateColumns,
  ...applicationStateColumns,
  ...accountStateColumns,
};

export async function insertGrant(on: Queryable, grant: typeof grants.$inferInsert): Promise<void> {
  await on.insert(grants).values(grant);
}

/** Locks the newest live grant with exactly these scopes. */
export const findGrantFor = (
  tx: Queryable,
  { consentId, scopes }: { readonly consentId: string; readonly scopes: readonly ScopeName[] },
  now: Date,
) =>
  first(
    tx
      .select({ grantId: grants.id, absoluteExpiry: grants.absoluteExpiry })
      .from(grants)
      .where(
        and(
          eq(grants.consentId, consentId),
          eq(grants.scopes, [...scopes]),
          isNotInState(["ended"], grantStateColumns, now),
        ),
      )
      .orderBy(desc(grants.createdAt))
      .limit(1)
      .for("no key update"),
  );

export async function insertAccessToken(
  tx: Queryable,
  token: typeof accessTokens.$inferInsert,
): Promise<void> {
  await tx.insert(accessTokens).values(token);
}

export type GrantAncestor =
  | { readonly consentId: string }
  | { readonly factionId: number; readonly clientIds: readonly string[] }
  | { readonly accountId: string; readonly unpaused?: true };

/** The lock lets no event of a grant follow the event of its end. */
export async function lockGrantsOf(tx: Queryable, above: GrantAncestor, now: Date) {
  const isBelow = isBelowOf(tx, above);
  const unpaused = "unpaused" in above ? isNull(consents.pausedAt) : undefined;
  // A separate statement, so that the next statement sees commits made during the wait.
  await tx
    .select({ id: consents.id })
    .from(consents)
    .where(and(isBelow, isNull(consents.revokedAt)))
    .orderBy(consents.id)
    .for("no key update");
  const rows = await tx
    .select({
      grantId: grants.id,
      clientId: grants.clientId,
      accountId: accounts.id,
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
        isBelow,
        unpaused,
        isNotInState(
          ["ended"],
          { ...grantStateColumns, ...consentStateColumns, ...applicationStateColumns },
          now,
        ),
      ),
    )
    .orderBy(grants.id)
    .for("no key update", { of: grants });
  return rows.map(({ scopes, consented, registered, ...grant }) => ({
    ...grant,
    scopes: effectiveScopes({ consented, registered }, scopes),
  }));
}

function isBelowOf(tx: Queryable, above: GrantAncestor): SQL | undefined {
  if ("consentId" in above) return eq(consents.id, above.consentId);
  if ("accountId" in above) return eq(consents.accountId, above.accountId);
  const ofMembers = tx
    .select({ id: accounts.id })
    .from(accounts)
    .innerJoin(players, eq(players.id, accounts.playerId))
    .where(eq(players.factionId, above.factionId));
  return and(
    inArray(consents.clientId, [...above.clientIds]),
    inArray(consents.accountId, ofMembers),
  );
}

export async function insertCode(
  on: Queryable,
  code: typeof authorizationCodes.$inferInsert,
): Promise<void> {
  await on.insert(authorizationCodes).values(code);
}

export type StoredCode = NonNullable<Awaited<ReturnType<typeof findCode>>>;

export const findCode = (on: Queryable, hashes: readonly string[]) =>
  first(
    on
      .select({
        ...grantStatusColumns,
        ...columnsOf(authorizationCodes, ["hash", "expiresAt", "consumedAt"]),
        ...columnsOf(authorizationCodes, ["redirectUri", "codeChallenge"]),
      })
      .from(authorizationCodes)
      .innerJoin(grants, eq(grants.id, authorizationCodes.grantId))
      .innerJoin(consents, eq(consents.id, grants.consentId))
      .innerJoin(applications, eq(applications.clientId, consents.clientId))
      .innerJoin(accounts, eq(accounts.id, consents.accountId))
      .where(inArray(authorizationCodes.hash, [...hashes])),
  );

interface Redemption {
  readonly stored: StoredCode;
  readonly by: ClientActor;
  readonly scopes: readonly ScopeName[];
  readonly access: KeyedHash & { readonly seconds: number };
  /** Null for a client that cannot refresh. */
  readonly refresh: (KeyedHash & { readonly seconds: number }) | null;
  readonly requestTime: RequestTiming;
}

/** The WHERE lets one of two concurrent redemptions through, and none past its deadline. */
export async function redeemCodeOnce(
  on: Queryable,
  redemption: Redemption,
): Promise<{ issuedAt: Date; expiresAt: Date } | undefined> {
  const { stored, by, scopes, access, refresh, requestTime } = redemption;
  const { hash, grantId, accountId } = stored;
  const ends = instantSql(grantEndOf(stored));
  const after = (seconds: number) =>
    sql`least(at + ${seconds}::integer * interval '1 second', ${ends})`;
  const scopeList = sql`string_to_array(${scopes.join(" ")}::text, ' ')`;
  const consumed = on
    .$with("consumed", { at: sql<Date>`at`.mapWith(accessTokens.issuedAt).as("at") })
    .as(sql`
    update ${authorizationCodes} set consumed_at = ${executedAt(requestTime)}
    where ${and(eq(authorizationCodes.hash, hash), isNull(authorizationCodes.consumedAt), isBeforeDeadline(requestTime))}
    returning consumed_at as at`);
  const opened = on.$with("opened", {}).as(sql`
    insert into access_tokens (hash, hash_key_id, grant_id, scopes, issued_at, expires_at)
    select ${access.hash}, ${access.keyId}, ${grantId}::uuid, ${scopeList}, at, ${after(access.seconds)} from consumed`);
  const renewable = on.$with("renewable", {}).as(sql`
    insert into refresh_tokens (hash, hash_key_id, grant_id, issued_at, expires_at)
    select ${refresh?.hash ?? ""}, ${refresh?.keyId ?? ""}, ${grantId}::uuid, at, ${after(refresh?.seconds ?? 0)}
    from consumed where ${refresh !== null}::boolean`);
  const told = on.$with("told", {}).as(sql`
    insert into audit_log (at, act, actor, account_id, client_id, request_id, address, details)
    select at, 'token.issued', ${actorKey(by)}, ${accountId}::uuid, ${by.client.clientId}, ${by.from.requestId},
      ${by.from.address}, jsonb_build_object('grantId', ${grantId}::text, 'scopes', ${scopeList}) from consumed`);
  const statement = on
    .with(consumed, opened, renewable, told)
    .select({
      issuedAt: consumed.at,
      expiresAt: sql<Date>`${after(access.seconds)}`.mapWith(accessTokens.expiresAt),
    })
    .from(consumed);
  const [row] = await retryConflict(async () => statement);
  return row;
}
