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
  or,
  sql,
} from "drizzle-orm";
import type { Database, Queryable } from "#db/client";
import { excluded } from "#db/expressions";
import { organizedCrimeDelays, organizedCrimes } from "#db/schema/faction";
import { factions, players } from "#db/schema/players";
import type { Crime } from "#server/game/contract/crime";

export type Delay = Omit<typeof organizedCrimeDelays.$inferSelect, "factionId" | "seenAt">;

const closed = ["Successful", "Failure", "Expired"];

export async function listOpenCrimes(
  on: Queryable,
  { factionId, lastSeen }: { factionId: number; lastSeen: Date },
) {
  return on
    .select({ crimeId: organizedCrimes.id, lastSeen: organizedCrimes.lastSeen })
    .from(organizedCrimes)
    .where(
      and(
        eq(organizedCrimes.factionId, factionId),
        notInArray(organizedCrimes.status, closed),
        gte(organizedCrimes.lastSeen, lastSeen),
      ),
    );
}

export async function saveCrimes(
  tx: Queryable,
  { factionId, crimes, at }: { factionId: number; crimes: readonly Crime[]; at: Date },
): Promise<void> {
  if (crimes.length === 0) return;
  await tx
    .insert(organizedCrimes)
    .values(
      crimes.map(({ crimeId, name, status }) => ({
        ...{ id: crimeId, factionId, name, status },
        lastSeen: at,
      })),
    )
    .onConflictDoUpdate({
      target: organizedCrimes.id,
      set: excluded(organizedCrimes, ["factionId", "name", "status", "lastSeen"]),
      // Closed crimes do not change.
      setWhere: notInArray(organizedCrimes.status, closed),
    });
}

/** A known delay of a player in a slot keeps its first reason. @returns the crimes of new delays */
export async function addDelays(
  tx: Queryable,
  { factionId, delays, at }: { factionId: number; delays: readonly Delay[]; at: Date },
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
 * Marks the delayed crimes. @returns those that are no longer delayed: seen without a delaying
 * member, or closed
 */
export async function noteHeldUp(
  tx: Queryable,
  {
    factionId,
    listed,
    heldUp,
    at,
  }: { factionId: number; listed: readonly number[]; heldUp: readonly number[]; at: Date },
): Promise<number[]> {
  const { id, status, delayedSince } = organizedCrimes;
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
        notInArray(id, [...heldUp]),
        or(inArray(id, [...listed]), inArray(status, closed)),
      ),
    )
    .returning({ id });
  return resumed.map((crime) => crime.id);
}

export async function noteMigrated(
  on: Queryable,
  factionId: number,
  crimesMigrated: boolean,
): Promise<void> {
  await on.update(factions).set({ crimesMigrated }).where(eq(factions.id, factionId));
}

export interface DelayRange {
  readonly factionId: number;
  readonly lowest: number;
  readonly highest: number;
  readonly limit: number;
  readonly skip: number;
}

const delayRows = (database: Database) =>
  database.statement("crime_delays", ({ query }) =>
    query
      .select({
        crimeId: organizedCrimeDelays.crimeId,
        playerId: organizedCrimeDelays.playerId,
        position: organizedCrimeDelays.position,
        positionIndex: organizedCrimeDelays.positionIndex,
        reason: organizedCrimeDelays.reason,
        seenAt: organizedCrimeDelays.seenAt,
      })
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
      // Within a crime in order of sighting, so that later delays do not shift pages.
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
