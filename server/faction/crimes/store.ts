import {
  and,
  asc,
  between,
  desc,
  eq,
  gte,
  inArray,
  isNotNull,
  isNull,
  notInArray,
  sql,
} from "drizzle-orm";
import type { Database, Queryable } from "#db/client";
import { excludedValues, findNewestTime } from "#db/expressions";
import { organizedCrimeDelays, organizedCrimes } from "#db/schema/faction";
import { crimeTypes, factions, players } from "#db/schema/players";
import { columnsOf } from "#db/select";
import type { Crime } from "#server/game/contract/faction";
import type { OrganizedCrimeType } from "#server/game/contract/torn";

export async function listCrimeNames(on: Queryable): Promise<string[]> {
  // A type missing from one answer stays listed for a day.
  const newest = on
    .select({ at: sql`max(${crimeTypes.lastSeen}) - interval '1 day'` })
    .from(crimeTypes);
  const rows = await on
    .select({ name: crimeTypes.name })
    .from(crimeTypes)
    .where(gte(crimeTypes.lastSeen, sql`(${newest})`))
    .orderBy(asc(crimeTypes.difficulty), asc(crimeTypes.name));
  return rows.map(({ name }) => name);
}

export const findCrimeTypesReadAt = (on: Queryable) => findNewestTime(on, crimeTypes.lastSeen);

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
      set: excludedValues(crimeTypes, ["difficulty", "lastSeen"]),
    });
}

export function findCrimes(on: Queryable, crimeIds: readonly number[]) {
  return on
    .select({
      crimeId: organizedCrimes.id,
      ...columnsOf(organizedCrimes, ["factionId", "name", "delayedSince"]),
    })
    .from(organizedCrimes)
    .where(inArray(organizedCrimes.id, [...crimeIds]));
}

export async function listDelayedCrimeIds(on: Queryable, factionId: number): Promise<number[]> {
  const rows = await on
    .select({ crimeId: organizedCrimes.id })
    .from(organizedCrimes)
    .where(and(eq(organizedCrimes.factionId, factionId), isNotNull(organizedCrimes.delayedSince)));
  return rows.map(({ crimeId }) => crimeId);
}

const delayColumns = columnsOf(organizedCrimeDelays, [
  "crimeId",
  "playerId",
  "position",
  "positionIndex",
  "reason",
  "seenAt",
]);

/** Leaves out former members, and the delays of an earlier hold-up. */
export function listDelayingMembers(on: Queryable, crimeIds: readonly number[]) {
  const { crimeId, factionId, playerId, seenAt, slot } = organizedCrimeDelays;
  return on
    .select({ ...delayColumns, name: players.name })
    .from(organizedCrimeDelays)
    .innerJoin(
      organizedCrimes,
      and(eq(organizedCrimes.id, crimeId), gte(seenAt, organizedCrimes.delayedSince)),
    )
    .innerJoin(players, and(eq(players.id, playerId), eq(players.factionId, factionId)))
    .where(inArray(crimeId, [...crimeIds]))
    .orderBy(asc(crimeId), asc(seenAt), asc(slot));
}

export type CrimeDelayRow = Omit<typeof organizedCrimeDelays.$inferSelect, "factionId" | "seenAt">;

export async function saveCrimes(
  tx: Queryable,
  { factionId, crimes, at }: { factionId: number; crimes: readonly Crime[]; at: Date },
): Promise<void> {
  if (crimes.length === 0) return;
  await tx
    .insert(organizedCrimes)
    .values(crimes.map(({ crimeId, name }) => ({ id: crimeId, factionId, name, lastSeen: at })))
    .onConflictDoUpdate({
      target: organizedCrimes.id,
      set: excludedValues(organizedCrimes, ["factionId", "name", "lastSeen"]),
    });
}

/** A known delay keeps its first reason. @returns the crime of each new delay */
export async function insertCrimeDelays(
  tx: Queryable,
  { factionId, delays, at }: { factionId: number; delays: readonly CrimeDelayRow[]; at: Date },
): Promise<number[]> {
  if (delays.length === 0) return [];
  const { crimeId, slot, playerId } = organizedCrimeDelays;
  const added = await tx
    .insert(organizedCrimeDelays)
    .values(delays.map((delay) => ({ ...delay, factionId, seenAt: at })))
    .onConflictDoNothing({ target: [crimeId, slot, playerId] })
    .returning({ crimeId });
  return added.map((delay) => delay.crimeId);
}

/**
 * @param found.open crimes that may still be delayed
 * @param found.listed the crimes of an incomplete list; undefined if unlisted crimes are over
 * @returns the crimes that resumed
 */
export async function markDelayedCrimes(
  tx: Queryable,
  found: {
    readonly factionId: number;
    readonly heldUp: readonly number[];
    readonly open: readonly number[];
    readonly listed: readonly number[] | undefined;
    readonly at: Date;
  },
): Promise<number[]> {
  const { factionId, heldUp, open, listed, at } = found;
  const { id, delayedSince } = organizedCrimes;
  await tx
    .update(organizedCrimes)
    .set({ delayedSince: at })
    .where(and(inArray(id, [...heldUp]), isNull(delayedSince)));
  const resumed = await tx
    .update(organizedCrimes)
    .set({ delayedSince: null })
    .where(
      and(
        eq(organizedCrimes.factionId, factionId),
        isNotNull(delayedSince),
        notInArray(id, [...heldUp, ...open]),
        listed && inArray(id, [...listed]),
      ),
    )
    .returning({ id });
  return resumed.map((crime) => crime.id);
}

export async function saveCrimesMigrated(
  on: Queryable,
  factionId: number,
  crimesMigrated: boolean,
): Promise<void> {
  await on.update(factions).set({ crimesMigrated }).where(eq(factions.id, factionId));
}

interface DelayRange {
  readonly factionId: number;
  readonly lowest: number;
  readonly highest: number;
  readonly limit: number;
  readonly skip: number;
}

const delayRows = (database: Database) =>
  database.statement("crime_delays", ({ query }) =>
    query
      .select(delayColumns)
      .from(organizedCrimeDelays)
      .innerJoin(
        players,
        and(
          eq(players.id, organizedCrimeDelays.playerId),
          eq(players.factionId, organizedCrimeDelays.factionId),
        ),
      )
      .where(
        and(
          eq(organizedCrimeDelays.factionId, sql.placeholder("factionId")),
          between(
            organizedCrimeDelays.crimeId,
            sql.placeholder("lowest"),
            sql.placeholder("highest"),
          ),
        ),
      )
      // Delays of a crime are in order of sighting, so that later delays do not shift pages.
      .orderBy(
        desc(organizedCrimeDelays.crimeId),
        asc(organizedCrimeDelays.seenAt),
        asc(organizedCrimeDelays.slot),
        asc(organizedCrimeDelays.playerId),
      )
      .limit(sql.placeholder("limit"))
      .offset(sql.placeholder("skip"))
      .prepare("crime_delays"),
  );

export const listDelays = (database: Database, asked: DelayRange) =>
  delayRows(database).execute({ ...asked });

/** The cursor is a crime id and an offset into that crime's delays. */
export async function readCrimeDelayPage(database: Database, asked: DelayRange) {
  const rows = await listDelays(database, { ...asked, limit: asked.limit + 1 });
  const delays = rows.slice(0, asked.limit);
  const last = delays.at(-1);
  const following = rows[asked.limit];
  if (!last || !following) return { delays, next: undefined };
  const given = delays.filter(({ crimeId }) => crimeId === following.crimeId).length;
  const before = following.crimeId === asked.highest ? asked.skip : 0;
  return { delays, next: { place: following.crimeId, row: given === 0 ? 0 : given + before } };
}
