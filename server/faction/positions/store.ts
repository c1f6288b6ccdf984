import { and, asc, eq, isNotNull, notInArray, type Placeholder, sql } from "drizzle-orm";
import type { Database, Queryable } from "#db/client";
import { excludedValues } from "#db/expressions";
import { factionPositions, holdsPosition, membershipColumns } from "#db/schema/faction";
import { factions, players } from "#db/schema/players";
import { columnsOf } from "#db/select";

const membershipOfPlayer = (on: Queryable, playerId: number | Placeholder) =>
  on
    .select(membershipColumns)
    .from(players)
    .leftJoin(factions, eq(factions.id, players.factionId))
    .leftJoin(factionPositions, holdsPosition)
    .where(eq(players.id, playerId));

export type MembershipRow = Awaited<ReturnType<typeof membershipOfPlayer>>[number];

const preparedMembership = (database: Database) =>
  database.statement("membership", ({ keyPool }) =>
    membershipOfPlayer(keyPool, sql.placeholder("playerId")).prepare("membership"),
  );

/** @param on a transaction to see its own writes, or the database for the prepared statement */
export async function findMembership(
  on: Database | Queryable,
  playerId: number,
): Promise<MembershipRow | undefined> {
  const [row] = await ("statement" in on
    ? preparedMembership(on).execute({ playerId })
    : membershipOfPlayer(on, playerId));
  return row;
}

const stored = columnsOf(factionPositions, ["id", "name", "isDefault", "abilities"]);
type StoredPosition = Pick<typeof factionPositions.$inferSelect, keyof typeof stored>;

/** Positions missing from the list are deleted. @returns true if any position changed */
export async function savePositions(
  tx: Queryable,
  factionId: number,
  { positions, at }: { readonly positions: readonly StoredPosition[]; readonly at: Date },
): Promise<boolean> {
  const names = positions.map(({ name }) => name);
  const before = await tx
    .select({ name: factionPositions.name, abilities: factionPositions.abilities })
    .from(factionPositions)
    .where(eq(factionPositions.factionId, factionId));
  await tx
    .delete(factionPositions)
    .where(
      and(eq(factionPositions.factionId, factionId), notInArray(factionPositions.name, names)),
    );
  await tx
    .insert(factionPositions)
    .values(positions.map((position) => ({ ...position, factionId, lastSeen: at })))
    .onConflictDoUpdate({
      target: [factionPositions.factionId, factionPositions.name],
      set: {
        ...excludedValues(factionPositions, ["isDefault", "abilities", "lastSeen"]),
        changedAt: sql`case when ${factionPositions.abilities} = excluded.abilities then ${factionPositions.changedAt} else excluded.last_seen end`,
      },
    });
  await tx.update(factions).set({ positionsRefreshed: at }).where(eq(factions.id, factionId));
  const known = new Map(before.map(({ name, abilities }) => [name, [...abilities].sort().join()]));
  const unchanged = positions.filter(
    ({ name, abilities }) => known.get(name) === [...abilities].sort().join(),
  );
  return unchanged.length < Math.max(positions.length, before.length);
}

export async function listHeldPositions(on: Queryable, factionId: number) {
  return on
    .select({
      name: sql<string>`${players.positionName}`,
      playerIds: sql<number[]>`array_agg(${players.id})`,
    })
    .from(players)
    .where(and(eq(players.factionId, factionId), isNotNull(players.positionName)))
    .groupBy(players.positionName);
}

const positionRows = (database: Database) =>
  database.statement("faction_positions", ({ query }) =>
    query
      .select(stored)
      .from(factionPositions)
      .where(eq(factionPositions.factionId, sql.placeholder("factionId")))
      .orderBy(asc(factionPositions.name))
      .prepare("faction_positions"),
  );

export const listPositions = (database: Database, factionId: number) =>
  positionRows(database).execute({ factionId });
