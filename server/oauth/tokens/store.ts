import { and, eq, inArray, isNull, sql } from "drizzle-orm";
import type { AnyPgColumn } from "drizzle-orm/pg-core";
import type { Database, Queryable } from "#db/client";
import { accounts } from "#db/schema/accounts";
import { accessTokens, applications, consents, grants } from "#db/schema/oauth";
import type { DeadToken } from "#db/schema/operations";
import { ownPlayerColumns, players } from "#db/schema/players";
import { columnsOf, hasRows } from "#db/select";
import type { TokenHolder } from "#server/actor";
import type { KeyedHash } from "#server/platform/keyring";
import { earlier } from "#server/platform/time";
import { isScopeName, type ScopeName } from "#server/scopes";
import {
  accountStateColumns,
  applicationStateColumns,
  consentStateColumns,
  effectiveScopes,
  grantEndOf,
  grantState,
  grantStateColumns,
  isNotInState,
  selectFactionDecision,
} from "../grants/grant-status";

/** The actor keeps faction scopes even if the faction blocks the application. */
export type LiveAccessToken = ReturnType<typeof liveToken>;

/** One query for the hashes of all server secrets: the row could move between two queries. */
export async function findAccessToken(
  database: Database,
  hashes: readonly string[],
  now: Date,
): Promise<LiveAccessToken | undefined> {
  const [found] = (await findAccessTokens(database, hashes, now)).values();
  return found;
}

/** The hot path of every API call: one prepared, pipelined statement for all concurrent calls. */
export async function findAccessTokens(
  database: Database,
  hashes: readonly string[],
  now: Date,
): Promise<ReadonlyMap<string, LiveAccessToken>> {
  const statement = database.statement("access_tokens_by_hash", ({ keyPool }) =>
    selectLive(keyPool).prepare("access_tokens_by_hash"),
  );
  const rows = await statement.execute({ hashes: hashes.join(separator), now: now.toISOString() });
  // In SQL, this condition would scan the expiry index of a table with few thousand tokens.
  const live = rows.filter(({ expiresAt }) => expiresAt > now);
  return new Map(live.map((row) => [row.hash, liveToken(row, now)]));
}

type LiveRow = Awaited<ReturnType<typeof selectLive>>[number];

function liveToken(row: LiveRow, now: Date) {
  const state = grantState<"suspendedAt" | "pausedAt">(row, now);
  const covered = { consented: scopesIn(row.consented), registered: scopesIn(row.registered) };
  const { accountId, playerId, clientId, consentId, grantId } = row;
  const scopes = effectiveScopes(covered, scopesIn(row.scopes));
  const ids = { accountId, playerId, clientId, consentId, grantId };
  const actor: TokenHolder = { kind: "token", ...ids, scopes };
  return {
    hash: row.hash,
    actor,
    /** The player's faction blocks the application. */
    refused: row.refused ?? false,
    status: state === "live" ? ("active" as const) : state,
    expiresAt: earlier(row.expiresAt, row.until),
    issuedAt: row.issuedAt,
    player: row.player,
  };
}

// The driver would first query the type of an array. Hashes contain no comma.
const separator = ",";
const isAmongHashes = sql`${accessTokens.hash} = any(string_to_array(${sql.placeholder("hashes")}, ${sql.raw(`'${separator}'`)}))`;

/** Text is cheaper to parse than PostgreSQL's array notation. */
const asText = (list: AnyPgColumn) => sql<string>`array_to_string(${list}, ' ')`;

function selectLive(on: Queryable) {
  const now = sql.placeholder("now");
  // The limit forces a lookup by key and keeps the condition of live consents out of the subquery,
  // where a plan made for empty tables would use their partial index.
  const consent = on
    .select({
      ...columnsOf(consents, ["id", "accountId", "clientId"]),
      scopes: asText(consents.scopes).as("consented"),
      ...consentStateColumns,
    })
    .from(consents)
    .where(eq(consents.id, grants.consentId))
    .limit(1)
    .as("consent");
  const { consentRevokedAt, until } = consent;
  const marks = {
    ...grantStateColumns,
    ...applicationStateColumns,
    ...accountStateColumns,
    consentRevokedAt,
    until,
  };
  const rule = selectFactionDecision(on);
  return on
    .select({
      hash: accessTokens.hash,
      scopes: asText(accessTokens.scopes),
      ...columnsOf(accessTokens, ["issuedAt", "expiresAt", "grantId"]),
      consentId: consent.id,
      consented: consent.scopes,
      until,
      pausedAt: consent.pausedAt,
      clientId: applications.clientId,
      registered: asText(applications.scopes),
      suspendedAt: applications.suspendedAt,
      accountId: accounts.id,
      playerId: accounts.playerId,
      refused: rule.blocked,
      // The player's columns save a query in the most frequent API call.
      player: ownPlayerColumns,
    })
    .from(accessTokens)
    .innerJoin(grants, eq(grants.id, accessTokens.grantId))
    .innerJoinLateral(consent, sql`true`)
    .innerJoin(applications, eq(applications.clientId, consent.clientId))
    .innerJoin(accounts, eq(accounts.id, consent.accountId))
    .innerJoin(players, eq(players.id, accounts.playerId))
    .leftJoinLateral(rule, sql`true`)
    .where(
      and(
        isAmongHashes,
        isNull(accessTokens.revokedAt),
        isNotInState(["ended", "banned"], marks, now),
      ),
    );
}

const scopesIn = (text: string): ScopeName[] => text.split(" ").filter(isScopeName);

export async function rehashAccessToken(
  on: Queryable,
  move: { from: string; to: KeyedHash },
): Promise<void> {
  await on
    .update(accessTokens)
    .set({ hash: move.to.hash, hashKeyId: move.to.keyId })
    .where(eq(accessTokens.hash, move.from));
}

export const revokeAccessToken = (
  on: Queryable,
  hashes: readonly string[],
  now: Date,
): Promise<boolean> =>
  hasRows(
    on
      .update(accessTokens)
      .set({ revokedAt: now })
      .where(and(inArray(accessTokens.hash, [...hashes]), isNull(accessTokens.revokedAt)))
      .returning({ hash: accessTokens.hash }),
  );

export async function findTokenOwners(on: Queryable, hashes: readonly string[], now: Date) {
  if (hashes.length === 0) return new Map<string, never>();
  const rows = await on
    .select({
      hash: accessTokens.hash,
      grantId: accessTokens.grantId,
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

/** The grant's end comes first, because no refresh helps after it. */
function endingOf(row: TokenEnds, now: Date): DeadToken | null {
  const revoked = row.grantRevokedAt ?? row.consentRevokedAt;
  if (revoked && row.revokedFor !== "expired")
    return { ended: "revoked", at: revoked.toISOString(), by: row.revokedFor ?? "player" };
  if (row.revokedAt) return { ended: "replaced", at: row.revokedAt.toISOString() };
  const end = earlier(row.expiresAt, grantEndOf(row));
  return end <= now ? { ended: "expired", at: end.toISOString() } : null;
}
