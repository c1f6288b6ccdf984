import { and, count, countDistinct, desc, eq, exists, gt, gte, isNull, lt, max, or, sql } from "drizzle-orm";
import type { Queryable } from "#db/client";
import { accounts, notices } from "#db/schema/accounts";
import { accessTokens, applications, authorizationCodes, consents, grants, refreshTokens } from "#db/schema/oauth";
import { auditLog, requestLog } from "#db/schema/operations";
import { players } from "#db/schema/players";
import type { AuditedAct, Origin } from "../../../audit/audit";
import { covers } from "../../../scopes";
import { knownScopes } from "../../scope-list";
import type { PageCursor } from "../page-cursor";
import type { GrantCounts, LiveGrant } from "./live-grant";

const isLiveAccess = (now: Date) =>
  and(eq(accessTokens.grantId, grants.id), isNull(accessTokens.revokedAt), gt(accessTokens.expiresAt, now));

const liveAccess = (on: Queryable, now: Date) =>
  on.select({ tokens: count() }).from(accessTokens).where(isLiveAccess(now));

/** A grant lives as long as something of it can still be used: an access token, a refresh token or a code. */
const isLive = (on: Queryable, clientId: string, now: Date) =>
  and(
    eq(consents.clientId, clientId),
    isNull(consents.revokedAt),
    or(isNull(consents.until), gt(consents.until, now)),
    isNull(grants.revokedAt),
    gt(grants.absoluteExpiry, now),
    or(
      exists(on.select({ hash: accessTokens.hash }).from(accessTokens).where(isLiveAccess(now))),
      exists(
        on
          .select({ hash: refreshTokens.hash })
          .from(refreshTokens)
          .where(
            and(
              eq(refreshTokens.grantId, grants.id),
              isNull(refreshTokens.consumedAt),
              gt(refreshTokens.expiresAt, now),
            ),
          ),
      ),
      exists(
        on
          .select({ hash: authorizationCodes.hash })
          .from(authorizationCodes)
          .where(
            and(
              eq(authorizationCodes.grantId, grants.id),
              isNull(authorizationCodes.consumedAt),
              gt(authorizationCodes.expiresAt, now),
            ),
          ),
      ),
    ),
  );

/** The live grants of an application, newest first. */
export async function listLiveGrants(
  on: Queryable,
  of: { readonly clientId: string; readonly after: PageCursor | null; readonly limit: number },
  now: Date,
): Promise<LiveGrant[]> {
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
      ),
    )
    .orderBy(desc(requestLog.at))
    .limit(1);
  const rows = await on
    .select({
      id: grants.id,
      at: grants.createdAt,
      playerId: players.id,
      playerName: players.name,
      scopes: grants.scopes,
      consented: consents.scopes,
      registered: applications.scopes,
      pausedAt: consents.pausedAt,
      tokens: sql`(${liveAccess(on, now)})`.mapWith(Number),
      lastUsed: sql<Date | null>`greatest((${lastIssued}), (${lastCall}))`.mapWith(requestLog.at),
    })
    .from(grants)
    .innerJoin(consents, eq(consents.id, grants.consentId))
    .innerJoin(applications, eq(applications.clientId, consents.clientId))
    .innerJoin(accounts, eq(accounts.id, consents.accountId))
    .innerJoin(players, eq(players.id, accounts.playerId))
    .where(and(isLive(on, of.clientId, now), isAfter(of.after)))
    .orderBy(desc(grants.createdAt), desc(grants.id))
    .limit(of.limit);
  return rows.map(({ playerId, playerName, scopes, consented, registered, pausedAt, ...row }) => {
    const held = knownScopes(scopes);
    const [agreed, allowed] = [knownScopes(consented), knownScopes(registered)];
    return {
      ...row,
      player: { id: playerId, name: playerName },
      scopes: held.filter((scope) => covers(agreed, scope) && covers(allowed, scope)),
      paused: pausedAt !== null,
    };
  });
}

const isAfter = (cursor: PageCursor | null) =>
  cursor
    ? or(lt(grants.createdAt, cursor.at), and(eq(grants.createdAt, cursor.at), lt(grants.id, cursor.id)))
    : undefined;

/** How many players, grants and access tokens an application has; of one grant alone if it is named. */
export async function countLiveGrants(
  on: Queryable,
  of: { readonly clientId: string; readonly grantId?: string },
  now: Date,
): Promise<GrantCounts> {
  const [row] = await on
    .select({
      players: countDistinct(consents.accountId),
      grants: count(),
      tokens: sql`coalesce(sum((${liveAccess(on, now)})), 0)`.mapWith(Number),
    })
    .from(grants)
    .innerJoin(consents, eq(consents.id, grants.consentId))
    .where(and(isLive(on, of.clientId, now), of.grantId === undefined ? undefined : eq(grants.id, of.grantId)));
  return row ?? { players: 0, grants: 0, tokens: 0 };
}

/** What is said of ended grants: an event for each, and a notice for each player. */
export interface EndWords {
  readonly act: AuditedAct;
  readonly actor: string;
  readonly origin: Origin;
  readonly notice: { readonly kind: string; readonly text: string };
}

/**
 * Ends the live grants of an application with everything below them, or one of them if it is named, and says so. One
 * statement: after a leak there may be many, and none may live a moment longer for the writing.
 * @returns how many were ended: of two calls at the same time one gets each
 */
export async function endLiveGrants(
  tx: Queryable,
  of: { readonly clientId: string; readonly grantId?: string; readonly now: Date },
  { act, actor, origin, notice }: EndWords,
): Promise<{ players: number; grants: number }> {
  const { clientId, grantId, now } = of;
  const at = sql`${now.toISOString()}::timestamptz`;
  const ended = tx
    .$with("ended", {
      grantId: sql<string>`grant_id`.as("grant_id"),
      accountId: sql<string>`account_id`.as("account_id"),
    })
    .as(sql`
      update ${grants} set revoked_at = ${at}, revoked_for = 'developer' from ${consents}
      where ${consents.id} = ${grants.consentId} and ${isLive(tx, clientId, now)}
        and ${grantId === undefined ? sql`true` : eq(grants.id, grantId)}
      returning ${grants.id} as grant_id, ${consents.accountId} as account_id`);
  const told = tx.$with("told", {}).as(sql`
    insert into ${auditLog} (at, act, actor, account_id, client_id, request_id, address, details)
    select ${at}, ${act}::text, ${actor}::text, account_id, ${clientId}::text, ${origin.requestId}::text,
      ${origin.address}::text, jsonb_build_object('grantId', grant_id, 'all', ${grantId === undefined}::boolean)
    from ended`);
  const noticed = tx.$with("noticed", {}).as(sql`
    insert into ${notices} (id, account_id, kind, text, created_at)
    select gen_random_uuid(), account_id, ${notice.kind}::text, ${notice.text}::text, ${at}
    from (select distinct account_id from ended) as players`);
  const [row] = await tx
    .with(ended, told, noticed)
    .select({ players: countDistinct(ended.accountId), grants: count() })
    .from(ended);
  return row ?? { players: 0, grants: 0 };
}
