import { and, asc, eq, gt, gte, inArray, isNull, lte, or, sql } from "drizzle-orm";
import type { Queryable } from "#db/client";
import { accounts } from "#db/schema/accounts";
import { consentPeriods, events } from "#db/schema/events";
import { factionPositions, holdsPosition, membershipColumns } from "#db/schema/faction";
import { applications, consents, grants } from "#db/schema/oauth";
import { factions, players } from "#db/schema/players";
import {
  accountMarks,
  applicationMarks,
  consentMarks,
  grantMarks,
  grantState,
  isNotIn,
} from "../oauth/grants/grant-status";
import { knownScopes } from "../oauth/scope-list";

/** An event as the log holds it. */
export type LoggedEvent = typeof events.$inferSelect;

/** Numbers of the log: after the first, up to the second. */
export interface Stretch {
  readonly after: number;
  readonly until: number;
}

/** Whose rights are asked about: those of applications, of all their players or of these. */
export interface Readers {
  readonly clientIds: readonly string[];
  readonly playerIds?: readonly number[];
}

const within = ({ after, until }: Stretch) => and(gt(events.seq, after), lte(events.seq, until));

/** Events of a stretch, in order. */
export const listEvents = (on: Queryable, stretch: Stretch, limit: number): Promise<LoggedEvent[]> =>
  on.select().from(events).where(within(stretch)).orderBy(asc(events.seq)).limit(limit);

/** The same, of those that can concern one grant: its own, its player's faction's, and everybody's. */
export const listEventsNear = (
  on: Queryable,
  stretch: Stretch,
  of: { readonly clientId: string; readonly playerId: number; readonly limit: number },
): Promise<LoggedEvent[]> =>
  on
    .select()
    .from(events)
    .where(
      and(
        within(stretch),
        or(
          and(isNull(events.factionId), isNull(events.clientId)),
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

/**
 * Live grants whose players are members of one of these factions, with what they, the consent and the registration cover now, oldest first.
 * Events are joined with them by `visible-events.ts`: PostgreSQL, which cannot know how many there are, would try each with each.
 */
export async function listHolders(
  on: Queryable,
  { factionIds, readers, now }: { factionIds: readonly number[]; readers: Readers; now: Date },
) {
  const marks = { ...grantMarks, ...consentMarks, ...applicationMarks, ...accountMarks };
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
    })
    .from(players)
    .innerJoin(accounts, eq(accounts.playerId, players.id))
    .innerJoin(consents, eq(consents.accountId, accounts.id))
    .innerJoin(applications, eq(applications.clientId, consents.clientId))
    .innerJoin(grants, eq(grants.consentId, consents.id))
    .leftJoin(factions, eq(factions.id, players.factionId))
    .leftJoin(factionPositions, holdsPosition)
    .where(
      and(
        inArray(players.factionId, [...factionIds]),
        inArray(consents.clientId, [...readers.clientIds]),
        // One text parameter: two thousand of their own cost more than the look itself.
        readers.playerIds && sql`${players.id} = any(string_to_array(${readers.playerIds.join(",")}, ',')::int[])`,
        isNotIn(["ended", "banned", "suspended", "paused"], marks, now),
      ),
    )
    .orderBy(asc(grants.createdAt));
  return rows.map(({ scopes, consented, registered, ...row }) => ({
    ...row,
    scopes: knownScopes(scopes),
    consented: knownScopes(consented),
    registered: knownScopes(registered),
  }));
}

/** What consents covered before their last change, of what had not ended by this instant. */
export async function listPeriods(
  on: Queryable,
  { consentIds, since }: { consentIds: readonly string[]; since: Date },
) {
  const { consentId, began, ended, scopes } = consentPeriods;
  const rows = await on
    .select({ consentId, began, ended, scopes })
    .from(consentPeriods)
    .where(
      and(
        sql`${consentId} = any(string_to_array(${consentIds.join(",")}, ',')::uuid[])`,
        or(isNull(ended), gte(ended, since)),
      ),
    );
  return rows.map((row) => ({ ...row, scopes: knownScopes(row.scopes) }));
}

/** The number before the first event that happened at an instant or later; undefined where there is none. */
export async function findSeqBefore(on: Queryable, since: Date): Promise<number | undefined> {
  // Times follow the numbers but for moments, so that the first page which is young enough is found by halving.
  const [ends] = await on
    .select({ low: sql<number | null>`min(seq)`.mapWith(Number), high: sql<number | null>`max(seq)`.mapWith(Number) })
    .from(events);
  if (!ends || ends.low === null || ends.high === null || ends.high === 0) return undefined;
  let [low, high] = [ends.low, ends.high + 1];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const [row] = await on
      .select({ at: events.at })
      .from(events)
      .where(lte(events.seq, middle))
      .orderBy(sql`${events.seq} desc`)
      .limit(1);
    if (row && row.at < since) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** What a grant's token that is dead leaves of it; a pause by the player or a suspension ends nothing. */
export async function findGrantState(on: Queryable, grantId: string, now: Date): Promise<"live" | "banned" | "ended"> {
  const [row] = await on
    .select({ ...grantMarks, ...consentMarks, ...applicationMarks, ...accountMarks })
    .from(grants)
    .innerJoin(consents, eq(consents.id, grants.consentId))
    .innerJoin(applications, eq(applications.clientId, consents.clientId))
    .innerJoin(accounts, eq(accounts.id, consents.accountId))
    .where(eq(grants.id, grantId));
  const state = row ? grantState(row, now) : "ended";
  return state === "ended" || state === "banned" ? state : "live";
}
