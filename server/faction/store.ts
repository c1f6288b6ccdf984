import { and, asc, eq, exists, isNotNull, isNull, lt, or, sql } from "drizzle-orm";
import type { Database, Queryable } from "#db/client";
import { accounts, gameKeys } from "#db/schema/accounts";
import { factions, players } from "#db/schema/players";

export interface Faction {
  readonly factionId: number;
  readonly name: string;
  readonly tag: string;
  readonly leaderId: number | null;
  readonly coLeaderId: number | null;
}

/** A player in a faction, as the members list shows them. */
export interface Member {
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

const memberRows = (database: Database) =>
  database.statement("faction_members", ({ query }) =>
    query
      .select({ playerId: players.id, name: players.name, level: players.level, chatId: players.chatId })
      .from(factions)
      .leftJoin(players, eq(players.factionId, factions.id))
      .where(and(eq(factions.id, sql.placeholder("id")), isNotNull(factions.membersRefreshed)))
      .orderBy(asc(players.id))
      .prepare("faction_members"),
  );

/** The members of a faction in order of id, in one round trip; undefined where the faction was never listed. */
export async function listMembers(database: Database, factionId: number): Promise<Member[] | undefined> {
  const rows = await memberRows(database).execute({ id: factionId });
  if (rows.length === 0) return undefined;
  // A faction that everybody left is one row without a player.
  return rows.flatMap(({ playerId, name, level, chatId }) =>
    playerId === null || name === null ? [] : [{ playerId, name, level, chatId }],
  );
}

/** Notes that a listing is being tried, so that the queue moves on whatever comes of it. */
export async function noteListingAttempt(on: Queryable, factionId: number, at: Date): Promise<void> {
  await on.update(factions).set({ lastAttempt: at }).where(eq(factions.id, factionId));
}

/** Stores what a complete listing said of the faction itself. */
export async function saveListedFaction(tx: Queryable, { factionId, ...about }: Faction, at: Date): Promise<void> {
  const row = { ...about, lastRefresh: at, membersRefreshed: at, lastAttempt: at };
  await tx
    .insert(factions)
    .values({ id: factionId, ...row })
    .onConflictDoUpdate({ target: factions.id, set: row });
}

/**
 * Factions to be listed next, the longest untried first: those with a member whose key works, not tried since `before`.
 */
export async function listStaleFactions(on: Queryable, before: Date, limit: number): Promise<number[]> {
  const withKey = on
    .select({ one: sql`1` })
    .from(players)
    .innerJoin(gameKeys, eq(gameKeys.playerId, players.id))
    .innerJoin(accounts, eq(accounts.id, gameKeys.accountId))
    .where(and(eq(players.factionId, factions.id), eq(gameKeys.state, "active"), isNull(accounts.bannedAt)));
  const rows = await on
    .select({ id: factions.id })
    .from(factions)
    .where(and(or(isNull(factions.lastAttempt), lt(factions.lastAttempt, before)), exists(withKey)))
    .orderBy(sql`${factions.lastAttempt} asc nulls first`, asc(factions.id))
    .limit(limit);
  return rows.map(({ id }) => id);
}
