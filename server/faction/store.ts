import { and, asc, eq, exists, gte, ilike, isNotNull, isNull, lt, or, type SQL, sql } from "drizzle-orm";
import type { Database, Queryable } from "#db/client";
import { excludedIfKnown } from "#db/excluded";
import { accounts, gameKeys } from "#db/schema/accounts";
import { factionPositions, holdsPosition, organizedCrimes, retaliations } from "#db/schema/faction";
import { factions, players } from "#db/schema/players";
import { before, expiredBy, type Sweep, sweepByIndex } from "#db/sweep";
import { daySeconds, hourSeconds, secondMs } from "#server/platform/time";
import { type SyncKind, syncSchedules } from "./sync-schedules";

export interface Faction {
  readonly factionId: number;
  readonly name: string;
  readonly tag: string;
  readonly leaderId: number | null;
  readonly coLeaderId: number | null;
}

/** A player in a faction, as the members list shows them. */
export interface ListedMember {
  readonly playerId: number;
  readonly name: string;
  readonly level: number | null;
  readonly chatId: bigint | null;
}

export async function findFaction(on: Queryable, factionId: number) {
  const [row] = await on
    .select({ factionId: factions.id, name: factions.name, membersRefreshed: factions.membersRefreshed })
    .from(factions)
    .where(eq(factions.id, factionId));
  return row;
}

/** Whether the faction's members were ever listed completely. */
export async function wasListed(on: Queryable, factionId: number): Promise<boolean> {
  const found = await findFaction(on, factionId);
  return found !== undefined && found.membersRefreshed !== null;
}

/** One row a member; one row without a player for a faction that was listed and has none. */
const memberRows = (database: Database) =>
  database.statement("faction_members", ({ query }) =>
    query
      .select({ playerId: players.id, name: players.name, level: players.level, chatId: players.chatId })
      .from(sql`(select ${sql.placeholder("id")}::integer as id) as asked`)
      .leftJoin(factions, and(eq(factions.id, sql`asked.id`), isNotNull(factions.membersRefreshed)))
      .leftJoin(players, eq(players.factionId, sql`asked.id`))
      .where(or(isNotNull(factions.id), isNotNull(players.id)))
      .orderBy(asc(players.id))
      .prepare("faction_members"),
  );

/**
 * The stored players of a faction in order of id, in one round trip; undefined where there are none and no listing named the
 * faction either.
 */
export async function listMembers(database: Database, factionId: number): Promise<ListedMember[] | undefined> {
  const rows = await memberRows(database).execute({ id: factionId });
  if (rows.length === 0) return undefined;
  return rows.flatMap(({ playerId, name, level, chatId }) =>
    playerId === null || name === null ? [] : [{ playerId, name, level, chatId }],
  );
}

/** The column that holds when each kind of reading was last tried. */
const attemptField = {
  members: "lastAttempt",
  positions: "positionsAttempt",
  attacks: "attacksAttempt",
  crimes: "crimesAttempt",
} as const satisfies Record<SyncKind, keyof typeof factions.$inferInsert>;

/** Notes that a reading is being tried, so that the queue moves on whatever comes of it. */
export async function noteSync(on: Queryable, factionId: number, tried: { sync: SyncKind; at: Date }) {
  await on
    .update(factions)
    .set({ [attemptField[tried.sync]]: tried.at })
    .where(eq(factions.id, factionId));
}

/** When a faction's attacks and crimes were last asked for, whatever came of it; null where they never were. */
export async function findLastSyncs(on: Queryable, factionId: number) {
  const [row] = await on
    .select({ attacks: factions.attacksAttempt, crimes: factions.crimesAttempt })
    .from(factions)
    .where(eq(factions.id, factionId));
  return row ?? { attacks: null, crimes: null };
}

/** Stores what a complete listing said of the faction itself. */
export async function saveListedFaction(tx: Queryable, { factionId, ...about }: Faction, at: Date): Promise<void> {
  const row = { ...about, lastRefresh: at, membersRefreshed: at, lastAttempt: at };
  await tx
    .insert(factions)
    .values({ id: factionId, ...row })
    .onConflictDoUpdate({ target: factions.id, set: { ...row, ...excludedIfKnown(factions, ["name"]) } });
}

/**
 * Factions of which something is to be read next, the longest untried first: those that are due and have a member whose key
 * works and may read it.
 */
export async function listDueFactions(
  on: Queryable,
  { sync, now, limit }: { sync: SyncKind; now: Date; limit: number },
): Promise<number[]> {
  const access = syncSchedules[sync].access === "faction";
  const withKey = on
    .select({ one: sql`1` })
    .from(players)
    .innerJoin(gameKeys, eq(gameKeys.playerId, players.id))
    .innerJoin(accounts, eq(accounts.id, gameKeys.accountId))
    .where(
      and(
        eq(players.factionId, factions.id),
        eq(gameKeys.state, "active"),
        isNull(accounts.bannedAt),
        access ? and(eq(players.factionApiAccess, true), eq(gameKeys.factionApiAccess, true)) : undefined,
      ),
    );
  const longestUntried = sql`${factions[attemptField[sync]]} asc nulls first, ${factions.id} asc`;
  // The offsets keep the order of work: from the longest untried on factions are looked at only until there are enough.
  const rows = await on
    .select({ id: sql<number>`${factions.id}` })
    .from(sql`(select * from ${factions} order by ${longestUntried} offset 0) as ${factions}`)
    .where(and(isDue(on, sync, now), sql`exists (${withKey} offset 0)`))
    .orderBy(longestUntried)
    .limit(limit);
  return rows.map(({ id }) => id);
}

/** Whether a reading of a known faction is due. */
export async function isSyncDue(on: Queryable, factionId: number, asked: { sync: SyncKind; now: Date }) {
  const rows = await on
    .select({ id: factions.id })
    .from(factions)
    .where(and(eq(factions.id, factionId), isDue(on, asked.sync, asked.now)));
  return rows.length > 0;
}

function isDue(on: Queryable, sync: SyncKind, now: Date): SQL | undefined {
  const attempt = factions[attemptField[sync]];
  const untried = (seconds: number) => lt(attempt, new Date(now.getTime() - seconds * secondMs));
  const old = untried(syncSchedules[sync].everySeconds);
  if (sync === "positions") return or(isNull(attempt), old, and(untried(soonSeconds), holdsUnknownPosition(on)));
  // A faction with the old kind of crimes may change over any day, so it is read now and then.
  if (sync === "crimes") return or(isNull(attempt), and(old, or(factions.crimesMigrated, untried(unmigratedSeconds))));
  return or(isNull(attempt), old);
}

/** A new position allows nothing until it is read, so it is read soon. */
const soonSeconds = 300;
const unmigratedSeconds = hourSeconds;

/** Some member of the faction holds a position that is not stored. */
function holdsUnknownPosition(on: Queryable): SQL {
  return exists(
    on
      .select({ one: sql`1` })
      .from(players)
      .leftJoin(factionPositions, holdsPosition)
      .where(and(eq(players.factionId, factions.id), isNotNull(players.positionName), isNull(factionPositions.id))),
  );
}

/** A hit can be answered for five minutes, and stays for a day. */
const hitsKept = daySeconds;
/** A crime that runs is seen every few minutes; one that ended, or is heard of no more, ages. Its delays stay. */
const crimesKept = 90 * daySeconds;

export const factionSweeps: readonly Sweep[] = [
  sweepByIndex("retaliations", (moment) => expiredBy(retaliations, retaliations.attackEnded, before(moment, hitsKept))),
  sweepByIndex("organized_crimes", (moment) =>
    expiredBy(organizedCrimes, organizedCrimes.lastSeen, before(moment, crimesKept)),
  ),
];

/** More members than a faction of the game can have. */
const mostMembers = 200;

interface MemberQuery {
  readonly factionId: number;
  /** As the game names states: "Okay", "Hospital". Undefined: any. */
  readonly state: string | undefined;
  readonly activeSince: Date | undefined;
  /** Only those whose last action is older, or not known. */
  readonly inactiveSince: Date | undefined;
  /** A part of the name. */
  readonly name: string | undefined;
}

/** Present members of a faction as last seen, those who acted last first. */
export function listMembersAsSeen(on: Queryable, asked: MemberQuery) {
  const { factionId, lastAction, name, status } = players;
  const conditions: (SQL | undefined)[] = [
    eq(factionId, asked.factionId),
    asked.state === undefined ? undefined : eq(status, asked.state),
    asked.activeSince && gte(lastAction, asked.activeSince),
    asked.inactiveSince && or(isNull(lastAction), lt(lastAction, asked.inactiveSince)),
    asked.name === undefined ? undefined : ilike(name, `%${asked.name.replace(/[\\%_]/g, "\\$&")}%`),
  ];
  return on
    .select({
      playerId: players.id,
      name,
      level: players.level,
      position: players.positionName,
      lastAction,
      state: status,
    })
    .from(players)
    .where(and(...conditions))
    .orderBy(sql`${lastAction} desc nulls last`, asc(players.id))
    .limit(mostMembers);
}

/** How many members are stored of a faction, and when they were last listed completely. */
export async function countMembers(on: Queryable, factionId: number) {
  const [faction] = await on
    .select({ listedAt: factions.membersRefreshed })
    .from(factions)
    .where(eq(factions.id, factionId));
  const members = await on.$count(players, eq(players.factionId, factionId));
  return { members, listedAt: faction?.listedAt ?? null };
}
