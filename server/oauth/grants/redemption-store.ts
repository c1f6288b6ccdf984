import { and, eq, isNull, sql } from "drizzle-orm";
import type { Queryable } from "#db/client";
import { retryConflict } from "#db/error-codes";
import { executedAt, instantSql, isAwaited, type RequestTime } from "#db/request-time";
import { accessTokens, authorizationCodes } from "#db/schema/oauth";
import type { Origin } from "#server/audit/audit";
import type { KeyedHash } from "#server/platform/crypto/keyring";
import type { ScopeName } from "#server/scopes";

/** A code that is consumed, and what is issued for it. */
export interface Redemption {
  readonly codeHash: string;
  readonly grantId: string;
  readonly accountId: string;
  readonly clientId: string;
  readonly scopes: readonly ScopeName[];
  readonly access: KeyedHash & { readonly seconds: number };
  /** Null for a client that cannot refresh. */
  readonly refresh: (KeyedHash & { readonly seconds: number }) | null;
  /** Nothing issued lives longer. */
  readonly ends: Date;
  readonly requestTime: RequestTime;
  readonly origin: Origin;
}

/**
 * Consumes a code and issues its tokens, in one statement: all of it is done or nothing. Two redemptions may race; the WHERE
 * lets exactly one of them see the code, if its caller still waits.
 * @returns undefined where this redemption was not the one
 */
export async function redeemCodeOnce(
  on: Queryable,
  redemption: Redemption,
): Promise<{ issuedAt: Date; expiresAt: Date } | undefined> {
  const { codeHash, grantId, accountId, clientId, scopes, access, refresh, requestTime, origin } = redemption;
  const ends = instantSql(redemption.ends);
  const after = (seconds: number) => sql`least(at + ${seconds}::integer * interval '1 second', ${ends})`;
  const scopeList = sql`string_to_array(${scopes.join(" ")}::text, ' ')`;
  const consumed = on.$with("consumed", { at: sql<Date>`at`.mapWith(accessTokens.issuedAt).as("at") }).as(sql`
    update ${authorizationCodes} set consumed_at = ${executedAt(requestTime)}
    where ${and(eq(authorizationCodes.hash, codeHash), isNull(authorizationCodes.consumedAt), isAwaited(requestTime))}
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
    select at, 'tokens-issued', ${`client:${clientId}`}, ${accountId}::uuid, ${clientId}, ${origin.requestId},
      ${origin.address}, jsonb_build_object('grantId', ${grantId}::text, 'scopes', ${scopeList}) from consumed`);
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
