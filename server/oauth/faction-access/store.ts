import { and, asc, count, eq, inArray, isNull, max, ne, or, sql } from "drizzle-orm";
import type { Queryable } from "#db/client";
import { excludedValues } from "#db/expressions";
import { accounts, notices } from "#db/schema/accounts";
import { factionAccess, factionPositions, wildcardClientId } from "#db/schema/faction";
import { applications, consents } from "#db/schema/oauth";
import { players } from "#db/schema/players";
import { columnsOf } from "#db/select";
import { isFactionScope, scopeNames } from "#server/scopes";
import {
  accountStateColumns,
  applicationStateColumns,
  consentStateColumns,
  effectiveScopes,
  isNotInState,
  isScopeEffective,
  selectFactionDecision,
} from "../grants/grant-status";
import { knownScopesOf } from "../scope-list";

export { wildcardClientId as otherApplications };

const factionScopes = scopeNames.filter(isFactionScope);

const opensFactionData = (factionId: number, now: Date) =>
  and(
    eq(players.factionId, factionId),
    or(...factionScopes.map((scope) => isScopeEffective(sql`${scope}::text`))),
    isNotInState(
      ["ended", "banned"],
      { ...consentStateColumns, ...applicationStateColumns, ...accountStateColumns },
      now,
    ),
  );

const applicationColumns = columnsOf(applications, [
  "clientId",
  "name",
  "emblemSign",
  "emblemColour",
]);

/** An application reads the faction's data if a member consented to a faction scope. */
export async function listReadingApplications(on: Queryable, factionId: number, now: Date) {
  const rule = selectFactionDecision(on);
  const rows = await on
    .select({
      ...applicationColumns,
      verifiedAt: applications.verifiedAt,
      registered: applications.scopes,
      consented: sql<string>`string_agg(distinct array_to_string(${consents.scopes}, ' '), ' ')`,
      members: count(),
      lastUsed: max(consents.lastUsedAt),
      blocked: sql<boolean>`coalesce(${rule.blocked}, false)`,
    })
    .from(consents)
    .innerJoin(applications, eq(applications.clientId, consents.clientId))
    .innerJoin(accounts, eq(accounts.id, consents.accountId))
    .innerJoin(players, eq(players.id, accounts.playerId))
    .leftJoinLateral(rule, sql`true`)
    .where(opensFactionData(factionId, now))
    .groupBy(applications.clientId, rule.blocked)
    .orderBy(asc(applications.name), asc(applications.clientId));
  return rows.map(({ verifiedAt, registered, consented, ...row }) => ({
    ...row,
    verified: verifiedAt !== null,
    scopes: effectiveScopes(
      { consented: knownScopesOf(consented.split(" ")), registered },
      factionScopes,
    ),
  }));
}

export async function listConsentingMembers(
  on: Queryable,
  { factionId, clientId }: { readonly factionId: number; readonly clientId: string },
  now: Date,
) {
  const rows = await on
    .select({
      accountId: accounts.id,
      playerId: players.id,
      name: players.name,
      since: consents.createdAt,
      lastUsed: consents.lastUsedAt,
      consented: consents.scopes,
      registered: applications.scopes,
    })
    .from(consents)
    .innerJoin(applications, eq(applications.clientId, consents.clientId))
    .innerJoin(accounts, eq(accounts.id, consents.accountId))
    .innerJoin(players, eq(players.id, accounts.playerId))
    .where(and(eq(consents.clientId, clientId), opensFactionData(factionId, now)))
    .orderBy(asc(consents.createdAt), asc(players.id));
  return rows.map(({ consented, registered, ...row }) => ({
    ...row,
    scopes: effectiveScopes({ consented, registered }, factionScopes),
  }));
}

/** Serialises a faction's decisions by locking its default row. */
export async function lockDecisions(tx: Queryable, factionId: number, now: Date): Promise<void> {
  const first = { factionId, clientId: wildcardClientId, blocked: false, decidedAt: now };
  await tx.insert(factionAccess).values(first).onConflictDoNothing();
  await tx
    .select({ blocked: factionAccess.blocked })
    .from(factionAccess)
    .where(and(eq(factionAccess.factionId, factionId), isOfOthers))
    .for("update");
}

const isOfOthers = eq(factionAccess.clientId, wildcardClientId);

/** Leaves out the default for all other applications. */
export const listDecisions = (on: Queryable, factionId: number) =>
  on
    .select({
      ...applicationColumns,
      blocked: factionAccess.blocked,
      decidedAt: factionAccess.decidedAt,
      decidedBy: players.name,
    })
    .from(factionAccess)
    .innerJoin(applications, eq(applications.clientId, factionAccess.clientId))
    .leftJoin(accounts, eq(accounts.id, factionAccess.decidedBy))
    .leftJoin(players, eq(players.id, accounts.playerId))
    .where(and(eq(factionAccess.factionId, factionId), isNull(applications.deletedAt)))
    .orderBy(asc(applications.name), asc(applications.clientId));

export async function isBlockedByDefault(on: Queryable, factionId: number): Promise<boolean> {
  const [row] = await on
    .select({ blocked: factionAccess.blocked })
    .from(factionAccess)
    .where(and(eq(factionAccess.factionId, factionId), isOfOthers));
  return row?.blocked ?? false;
}

/**
 * An application without a decision followed the default, so its first `allowedSince` comes from
 * the default.
 * @returns the changed client ids
 */
export async function saveDecisions(
  tx: Queryable,
  decision: {
    readonly factionId: number;
    readonly clientIds: readonly string[];
    readonly blocked: boolean;
    readonly decidedBy: string;
    readonly now: Date;
  },
): Promise<string[]> {
  const { factionId, clientIds, blocked, decidedBy, now } = decision;
  const isOfFaction = eq(factionAccess.factionId, factionId);
  const [others] = await tx.select().from(factionAccess).where(and(isOfFaction, isOfOthers));
  const endOfBlock = (was: { blocked: boolean; allowedSince: Date | null } | undefined) =>
    was?.blocked && !blocked ? now : (was?.allowedSince ?? null);
  const at = sql`${now.toISOString()}::timestamptz`;
  const saved = await tx
    .insert(factionAccess)
    .values(
      clientIds.map((clientId) => ({
        factionId,
        clientId,
        blocked,
        decidedBy,
        decidedAt: now,
        allowedSince: endOfBlock(others),
      })),
    )
    .onConflictDoUpdate({
      target: [factionAccess.factionId, factionAccess.clientId],
      set: {
        ...excludedValues(factionAccess, ["blocked", "decidedAt", "decidedBy"]),
        allowedSince: sql`case when ${factionAccess.blocked} and not excluded.blocked then ${at} else ${factionAccess.allowedSince} end`,
      },
      setWhere: ne(factionAccess.blocked, blocked),
    })
    .returning({ clientId: factionAccess.clientId });
  return saved.map(({ clientId }) => clientId);
}

export async function listBlockedFor(
  on: Queryable,
  { playerId, clientIds }: { readonly playerId: number; readonly clientIds: readonly string[] },
): Promise<string[]> {
  if (clientIds.length === 0) return [];
  const rule = selectFactionDecision(on);
  const rows = await on
    .select({ clientId: applications.clientId })
    .from(applications)
    .innerJoin(players, eq(players.id, playerId))
    .innerJoinLateral(rule, sql`true`)
    .where(and(inArray(applications.clientId, [...clientIds]), eq(rule.blocked, true)));
  return rows.map(({ clientId }) => clientId);
}

export const listUnreadNotices = (
  on: Queryable,
  of: { readonly accountIds: readonly string[]; readonly kind: string },
): Promise<{ accountId: string; text: string }[]> =>
  on
    .select({ accountId: notices.accountId, text: notices.text })
    .from(notices)
    .where(
      and(
        inArray(notices.accountId, [...of.accountIds]),
        eq(notices.kind, of.kind),
        isNull(notices.readAt),
      ),
    );

export const listFactionPositions = (on: Queryable, factionId: number) =>
  on
    .select({ name: factionPositions.name, decides: factionPositions.decidesAccess })
    .from(factionPositions)
    .where(eq(factionPositions.factionId, factionId))
    .orderBy(asc(factionPositions.name));

export async function saveDeciders(
  tx: Queryable,
  { factionId, positions }: { readonly factionId: number; readonly positions: readonly string[] },
): Promise<void> {
  await tx
    .update(factionPositions)
    .set({
      decidesAccess:
        positions.length > 0 ? inArray(factionPositions.name, [...positions]) : sql`false`,
    })
    .where(eq(factionPositions.factionId, factionId));
}
