import { and, asc, eq, gt, gte, inArray, isNull, lte, or, sql } from "drizzle-orm";
import type { Queryable } from "#db/client";
import { accounts } from "#db/schema/accounts";
import { consentPeriods, events } from "#db/schema/events";
import { factionPositions, holdsPosition, membershipColumns } from "#db/schema/faction";
import { applications, consents, grants } from "#db/schema/oauth";
import { factions, players } from "#db/schema/players";
import { columnsOf } from "#db/select";
import type { LoggedEvent, Stretch } from "../event-log/store";
import {
  accountStateColumns,
  applicationStateColumns,
  consentStateColumns,
  grantState,
  grantStateColumns,
  isNotInState,
  selectFactionDecision,
} from "../oauth/grants/grant-status";
import { knownScopesOf } from "../oauth/scope-list";

export interface ReaderFilter {
  readonly clientIds: readonly string[];
  readonly playerIds?: readonly number[];
}

/** Lists a superset of the events that a grant may see; `filterVisible` checks each. */
export const listCandidateEvents = (
  on: Queryable,
  stretch: Stretch,
  of: { readonly clientId: string; readonly playerId: number; readonly limit: number },
): Promise<LoggedEvent[]> =>
  on
    .select()
    .from(events)
    .where(
      and(
        gt(events.seq, stretch.after),
        lte(events.seq, stretch.until),
        or(
          and(isNull(events.factionId), isNull(events.clientId), isNull(events.playerId)),
          and(eq(events.clientId, of.clientId), eq(events.playerId, of.playerId)),
          eq(
            events.factionId,
            sql`(${on.select({ factionId: players.factionId }).from(players).where(eq(players.id, of.playerId))})`,
          ),
        ),
      ),
    )
    .orderBy(asc(events.seq))
    .limit(of.limit);

/** Lists live grants, oldest first. A join with events would be a nested loop in PostgreSQL. */
export async function listHolders(
  on: Queryable,
  { factionIds, readers, now }: { factionIds: readonly number[]; readers: ReaderFilter; now: Date },
) {
  const marks = {
    ...grantStateColumns,
    ...consentStateColumns,
    ...applicationStateColumns,
    ...accountStateColumns,
  };
  const rule = selectFactionDecision(on);
  const rows = await on
    .select({
      grantId: grants.id,
      grantedAt: grants.createdAt,
      clientId: consents.clientId,
      consentId: consents.id,
      consentChanged: consents.updatedAt,
      scopes: grants.scopes,
      consented: consents.scopes,
      registered: applications.scopes,
      member: membershipColumns,
      factionSince: players.factionSince,
      positionSince: players.positionSince,
      abilitiesSince: factionPositions.changedAt,
      allowedSince: rule.allowedSince,
    })
    .from(players)
    .innerJoin(accounts, eq(accounts.playerId, players.id))
    .innerJoin(consents, eq(consents.accountId, accounts.id))
    .innerJoin(applications, eq(applications.clientId, consents.clientId))
    .innerJoin(grants, eq(grants.consentId, consents.id))
    .leftJoin(factions, eq(factions.id, players.factionId))
    .leftJoin(factionPositions, holdsPosition)
    .leftJoinLateral(rule, sql`true`)
    .where(
      and(
        sql`${rule.blocked} is not true`,
        inArray(players.factionId, [...factionIds]),
        inArray(consents.clientId, [...readers.clientIds]),
        // One text parameter, because two thousand separate ones cost more than the query.
        readers.playerIds &&
          sql`${players.id} = any(string_to_array(${readers.playerIds.join(",")}, ',')::int[])`,
        isNotInState(["ended", "banned", "suspended", "paused"], marks, now),
      ),
    )
    .orderBy(asc(grants.createdAt));
  return rows.map(({ scopes, consented, registered, ...row }) => ({
    ...row,
    scopes: knownScopesOf(scopes),
    consented: knownScopesOf(consented),
    registered: knownScopesOf(registered),
  }));
}

export async function listConsentPeriods(
  on: Queryable,
  { consentIds, since }: { consentIds: readonly string[]; since: Date },
) {
  const { consentId, ended } = consentPeriods;
  const rows = await on
    .select(columnsOf(consentPeriods, ["consentId", "began", "ended", "scopes"]))
    .from(consentPeriods)
    .where(
      and(
        sql`${consentId} = any(string_to_array(${consentIds.join(",")}, ',')::uuid[])`,
        or(isNull(ended), gte(ended, since)),
      ),
    );
  return rows.map((row) => ({ ...row, scopes: knownScopesOf(row.scopes) }));
}

/** Paused grants and suspended applications count as live. */
export async function findGrantState(
  on: Queryable,
  grantId: string,
  now: Date,
): Promise<"live" | "banned" | "ended"> {
  const [row] = await on
    .select({
      ...grantStateColumns,
      ...consentStateColumns,
      ...applicationStateColumns,
      ...accountStateColumns,
    })
    .from(grants)
    .innerJoin(consents, eq(consents.id, grants.consentId))
    .innerJoin(applications, eq(applications.clientId, consents.clientId))
    .innerJoin(accounts, eq(accounts.id, consents.accountId))
    .where(eq(grants.id, grantId));
  const state = row ? grantState(row, now) : "ended";
  return state === "ended" || state === "banned" ? state : "live";
}
