import { and, asc, eq, exists, gt, gte, inArray, isNotNull, isNull, lt, lte, or, sql } from "drizzle-orm";
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
  isCovered,
  isEffective,
  isNotIn,
} from "../oauth/grants/grant-status";

/** An event as the log holds it. */
export type LoggedEvent = typeof events.$inferSelect;

/** Numbers of the log: after the first, up to the second. */
export interface Stretch {
  readonly after: number;
  readonly until: number;
}

/** Whose rights are asked about: those of applications, or those that single grants open. */
export type Readers = { readonly clientIds: readonly string[] } | { readonly grantIds: readonly string[] };

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
 * Which grants open which events of factions in a stretch: the grant and its consent cover the scope now and covered it when the
 * event happened, and the player is a member now and was one then. What happened in the very millisecond of a change counts as before it. Whether a member may read another's record is not decided here.
 */
export async function listOpened(on: Queryable, stretch: Stretch, { readers, now }: { readers: Readers; now: Date }) {
  const scope = sql`${events.scope}`;
  const periodOfThen = on
    .select({ one: sql`1` })
    .from(consentPeriods)
    .where(
      and(
        eq(consentPeriods.consentId, consents.id),
        lt(consentPeriods.began, events.at),
        or(isNull(consentPeriods.ended), gte(consentPeriods.ended, events.at)),
        isCovered(scope, consentPeriods.scopes),
      ),
    );
  // After its last change a consent covered what it covers now. Releases before the log of events changed consents without a period.
  const coveredThen = or(lt(consents.updatedAt, events.at), exists(periodOfThen));
  const marks = { ...grantMarks, ...consentMarks, ...applicationMarks, ...accountMarks };
  return on
    .select({
      seq: events.seq,
      grantId: grants.id,
      clientId: consents.clientId,
      member: membershipColumns,
      positionSince: players.positionSince,
      abilitiesSince: factionPositions.changedAt,
    })
    .from(events)
    .innerJoin(
      players,
      and(
        eq(players.factionId, events.factionId),
        or(isNull(players.factionSince), lt(players.factionSince, events.at)),
      ),
    )
    .innerJoin(accounts, eq(accounts.playerId, players.id))
    .innerJoin(consents, eq(consents.accountId, accounts.id))
    .innerJoin(applications, eq(applications.clientId, consents.clientId))
    .innerJoin(grants, eq(grants.consentId, consents.id))
    .leftJoin(factions, eq(factions.id, players.factionId))
    .leftJoin(factionPositions, holdsPosition)
    .where(
      and(
        within(stretch),
        isNotNull(events.factionId),
        "clientIds" in readers
          ? inArray(consents.clientId, [...readers.clientIds])
          : // One text parameter: two thousand of their own cost more than the look itself.
            sql`${grants.id} = any(string_to_array(${readers.grantIds.join(",")}, ',')::uuid[])`,
        lt(grants.createdAt, events.at),
        isNotIn(["ended", "banned", "suspended", "paused"], marks, now),
        isEffective(scope),
        isCovered(scope, grants.scopes),
        coveredThen,
      ),
    )
    .orderBy(asc(events.seq), asc(grants.createdAt));
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

/** Whether a grant lives, whatever became of a token of it; a pause or a suspension ends nothing. */
export async function isGrantLive(on: Queryable, grantId: string, now: Date): Promise<boolean> {
  const marks = { ...grantMarks, ...consentMarks, ...applicationMarks, ...accountMarks };
  const [row] = await on
    .select({ id: grants.id })
    .from(grants)
    .innerJoin(consents, eq(consents.id, grants.consentId))
    .innerJoin(applications, eq(applications.clientId, consents.clientId))
    .innerJoin(accounts, eq(accounts.id, consents.accountId))
    .where(and(eq(grants.id, grantId), isNotIn(["ended", "banned"], marks, now)));
  return row !== undefined;
}
