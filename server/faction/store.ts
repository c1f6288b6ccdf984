import {
  and,
  asc,
  eq,
  gte,
  ilike,
  isNotNull,
  isNull,
  lt,
  ne,
  or,
  type SQL,
  sql,
} from "drizzle-orm";
import type { Database, Queryable } from "#db/client";
import { excludedValuesIfKnown } from "#db/expressions";
import { accounts, notices } from "#db/schema/accounts";
import { organizedCrimes, retaliations, vaultReadings } from "#db/schema/faction";
import { factions, players } from "#db/schema/players";
import { first, hasRows } from "#db/select";
import type { Sweep } from "#db/sweep";
import type { FactionBasic } from "#server/game/contract/faction";
import { daySeconds } from "#server/platform/time";

export async function findMembersListedAt(on: Queryable, factionId: number): Promise<Date | null> {
  const [faction] = await on
    .select({ at: factions.membersRefreshed })
    .from(factions)
    .where(eq(factions.id, factionId));
  return faction?.at ?? null;
}

/** A listed faction without members gives one row without a player. */
const memberRows = (database: Database) =>
  database.statement("faction_members", ({ query }) =>
    query
      .select({
        playerId: players.id,
        name: players.name,
        level: players.level,
        chatId: players.chatId,
      })
      .from(sql`(select ${sql.placeholder("id")}::integer as id) as asked`)
      .leftJoin(factions, and(eq(factions.id, sql`asked.id`), isNotNull(factions.membersRefreshed)))
      .leftJoin(players, eq(players.factionId, sql`asked.id`))
      .where(or(isNotNull(factions.id), isNotNull(players.id)))
      .orderBy(asc(players.id))
      .prepare("faction_members"),
  );

/** Undefined if the faction was never listed and has no known player. */
export async function listMembers(database: Database, factionId: number) {
  const rows = await memberRows(database).execute({ id: factionId });
  if (rows.length === 0) return undefined;
  return rows.flatMap(({ playerId, name, level, chatId }) =>
    playerId === null || name === null ? [] : [{ playerId, name, level, chatId }],
  );
}

export async function saveListedFaction(
  tx: Queryable,
  { factionId, ...about }: Omit<FactionBasic, "members">,
  at: Date,
): Promise<void> {
  const row = { ...about, lastRefresh: at, membersRefreshed: at, lastAttempt: at };
  await tx
    .insert(factions)
    .values({ id: factionId, ...row })
    .onConflictDoUpdate({
      target: factions.id,
      set: { ...row, ...excludedValuesIfKnown(factions, ["name"]) },
    });
}

/** Hits can be answered for five minutes only, so a day is ample. */
const hitsKept = daySeconds;
/** Seconds since the crime was last listed; closed crimes are not listed. Delays are not swept. */
const crimesKept = 90 * daySeconds;
/** A reading replaces the one before, so only factions that are no longer read lose theirs. */
const vaultReadingsKept = 30 * daySeconds;

export const factionSweeps: readonly Sweep[] = [
  { table: retaliations, column: retaliations.attackEnded, keep: hitsKept },
  { table: organizedCrimes, column: organizedCrimes.lastSeen, keep: crimesKept },
  { table: vaultReadings, column: vaultReadings.readAt, keep: vaultReadingsKept },
];

/** More than the game allows in a faction. */
const mostMembers = 200;

export function searchMembers(
  on: Queryable,
  asked: {
    readonly factionId: number;
    /** For example "Okay" or "Hospital". */
    readonly state: string | undefined;
    readonly activeSince: Date | undefined;
    readonly inactiveSince: Date | undefined;
    readonly name: string | undefined;
  },
) {
  const { factionId, lastAction, name, status } = players;
  const conditions: (SQL | undefined)[] = [
    eq(factionId, asked.factionId),
    asked.state === undefined ? undefined : eq(status, asked.state),
    asked.activeSince && gte(lastAction, asked.activeSince),
    asked.inactiveSince && or(isNull(lastAction), lt(lastAction, asked.inactiveSince)),
    asked.name === undefined
      ? undefined
      : ilike(name, `%${asked.name.replace(/[\\%_]/g, "\\$&")}%`),
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

export const countMembers = (on: Queryable, factionId: number) =>
  on.$count(players, eq(players.factionId, factionId));

export type StatSharing = (typeof factions.$inferSelect)["statSharing"];

export async function findStatSharing(
  on: Queryable,
  factionId: number,
): Promise<{ readonly sharing: StatSharing; readonly chosen: Date | null }> {
  const [row] = await on
    .select({ sharing: factions.statSharing, chosen: factions.statSharingChosen })
    .from(factions)
    .where(eq(factions.id, factionId));
  return row ?? { sharing: "faction", chosen: null };
}

/** @returns false if nothing changed, as for an unknown faction */
export const setStatSharing = (
  tx: Queryable,
  factionId: number,
  { sharing, at }: { readonly sharing: StatSharing; readonly at: Date },
): Promise<boolean> =>
  hasRows(
    tx
      .update(factions)
      .set({ statSharing: sharing, statSharingChosen: at })
      .where(
        and(
          eq(factions.id, factionId),
          or(ne(factions.statSharing, sharing), isNull(factions.statSharingChosen)),
        ),
      )
      .returning({ id: factions.id }),
  );

/** @returns the faction's name; undefined if sharing was already chosen */
export async function lockUnchosenSharing(
  tx: Queryable,
  factionId: number,
): Promise<string | undefined> {
  const [row] = await tx
    .select({ name: factions.name })
    .from(factions)
    .where(and(eq(factions.id, factionId), isNull(factions.statSharingChosen)))
    .for("update");
  return row?.name;
}

export const findNoticeRecipient = (on: Queryable, playerId: number, kind: string) =>
  first(
    on
      .select({ accountId: accounts.id, asked: sql<boolean>`${notices.id} is not null` })
      .from(accounts)
      .leftJoin(notices, and(eq(notices.accountId, accounts.id), eq(notices.kind, kind)))
      .where(eq(accounts.playerId, playerId))
      .limit(1),
  );
