import { and, asc, eq, exists, isNotNull, isNull, lt, lte, notInArray, or, sql } from "drizzle-orm";
import type { Database, Queryable } from "#db/client";
import { accounts, gameKeys } from "#db/schema/accounts";
import { factions, players } from "#db/schema/players";
import { keptFactionAccess, notSeenLater } from "#server/users/store";

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

/** A member as the game's listing shows them. */
export interface SeenMember {
  readonly playerId: number;
  readonly name: string;
  readonly level: number;
  readonly position: string;
  readonly status: string;
  readonly lastAction: Date | null;
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

/**
 * Stores a complete listing. Call it in a transaction. Who is not on it has left, unless a newer sighting says otherwise;
 * leaving ends position and faction API access in the same statement.
 */
export async function saveMembers(
  tx: Queryable,
  listing: { faction: Faction; members: readonly SeenMember[]; at: Date },
): Promise<void> {
  const { faction, members, at } = listing;
  const { factionId, ...about } = faction;
  const row = { ...about, lastRefresh: at, membersRefreshed: at, lastAttempt: at };
  await tx
    .insert(factions)
    .values({ id: factionId, ...row })
    .onConflictDoUpdate({ target: factions.id, set: row });

  const ids = members.map(({ playerId }) => playerId);
  await tx
    .update(players)
    .set({ factionId: null, positionName: null, factionApiAccess: false, factionSeen: at })
    .where(
      and(
        eq(players.factionId, factionId),
        ids.length > 0 ? notInArray(players.id, ids) : undefined,
        or(isNull(players.factionSeen), lte(players.factionSeen, at)),
      ),
    );
  if (ids.length > 0) await upsertMembers(tx, { factionId, members, at });
}

async function upsertMembers(
  tx: Queryable,
  { factionId, members, at }: { factionId: number; members: readonly SeenMember[]; at: Date },
): Promise<void> {
  // Rows are locked in one order, so that two listings cannot wait for each other.
  const ordered = [...members].sort((a, b) => a.playerId - b.playerId);
  await tx
    .insert(players)
    .values(
      ordered.map(({ playerId, position, ...member }) => ({
        ...member,
        id: playerId,
        factionId,
        positionName: position,
        factionSeen: at,
      })),
    )
    .onConflictDoUpdate({
      target: players.id,
      set: {
        name: sql`excluded.name`,
        level: sql`excluded.level`,
        status: sql`excluded.status`,
        lastAction: sql`excluded.last_action`,
        factionId: sql`excluded.faction_id`,
        positionName: sql`excluded.position_name`,
        factionSeen: sql`excluded.faction_seen`,
        factionApiAccess: keptFactionAccess,
      },
      setWhere: notSeenLater,
    });
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
