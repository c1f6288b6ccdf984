import { and, asc, eq, gte, inArray, isNotNull, sql } from "drizzle-orm";
import type { Queryable } from "#db/client";
import { excluded, newestOf } from "#db/expressions";
import { organizedCrimeDelays, organizedCrimes } from "#db/schema/faction";
import { crimeTypes, players } from "#db/schema/players";
import type { OrganizedCrimeType } from "#server/game/contract/torn";

/** A type missing from one answer stays listed for a day after its last sighting. */
const graceInterval = sql`interval '1 day'`;

export async function listCrimeNames(on: Queryable): Promise<string[]> {
  const newest = on
    .select({ at: sql`max(${crimeTypes.lastSeen}) - ${graceInterval}` })
    .from(crimeTypes);
  const rows = await on
    .select({ name: crimeTypes.name })
    .from(crimeTypes)
    .where(gte(crimeTypes.lastSeen, sql`(${newest})`))
    .orderBy(asc(crimeTypes.difficulty), asc(crimeTypes.name));
  return rows.map(({ name }) => name);
}

export const findNewestSighting = (on: Queryable) => newestOf(on, crimeTypes.lastSeen);

export async function saveCrimeTypes(
  on: Queryable,
  types: readonly OrganizedCrimeType[],
  at: Date,
): Promise<void> {
  if (types.length === 0) return;
  await on
    .insert(crimeTypes)
    .values(types.map((type) => ({ ...type, lastSeen: at })))
    .onConflictDoUpdate({
      target: crimeTypes.name,
      set: excluded(crimeTypes, ["difficulty", "lastSeen"]),
    });
}

export function findCrimes(on: Queryable, crimeIds: readonly number[]) {
  return on
    .select({
      crimeId: organizedCrimes.id,
      factionId: organizedCrimes.factionId,
      name: organizedCrimes.name,
      delayedSince: organizedCrimes.delayedSince,
    })
    .from(organizedCrimes)
    .where(inArray(organizedCrimes.id, [...crimeIds]));
}

export async function listDelayed(on: Queryable, factionId: number): Promise<number[]> {
  const rows = await on
    .select({ crimeId: organizedCrimes.id })
    .from(organizedCrimes)
    .where(and(eq(organizedCrimes.factionId, factionId), isNotNull(organizedCrimes.delayedSince)));
  return rows.map(({ crimeId }) => crimeId);
}

/** Present members that delayed these crimes since they last stopped, in order of sighting. */
export function listHoldUps(on: Queryable, crimeIds: readonly number[]) {
  const { crimeId, factionId, playerId, position, positionIndex, reason, seenAt, slot } =
    organizedCrimeDelays;
  return on
    .select({ crimeId, playerId, name: players.name, position, positionIndex, reason, seenAt })
    .from(organizedCrimeDelays)
    .innerJoin(
      organizedCrimes,
      and(eq(organizedCrimes.id, crimeId), gte(seenAt, organizedCrimes.delayedSince)),
    )
    .innerJoin(players, and(eq(players.id, playerId), eq(players.factionId, factionId)))
    .where(inArray(crimeId, [...crimeIds]))
    .orderBy(asc(crimeId), asc(seenAt), asc(slot));
}
