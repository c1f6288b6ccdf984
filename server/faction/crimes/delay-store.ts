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
import { excluded } from "#db/excluded";
import { organizedCrimeDelays, organizedCrimeSlots, organizedCrimes } from "#db/schema/faction";
import { factions, players } from "#db/schema/players";
import type { Crime } from "#server/game/contract/crime";

export type Delay = Omit<typeof organizedCrimeDelays.$inferSelect, "factionId" | "seenAt">;

const closed = ["Successful", "Failure", "Expired"];

/** Closed crimes do not change and need no upsert. */
export async function listClosedCrimes(
  tx: Queryable,
  crimeIds: readonly number[],
): Promise<Set<number>> {
  const rows = await tx
    .select({ id: organizedCrimes.id })
    .from(organizedCrimes)
    .where(
      and(inArray(organizedCrimes.id, [...crimeIds]), inArray(organizedCrimes.status, closed)),
    );
  return new Set(rows.map(({ id }) => id));
}

export async function listOpenCrimes(
  on: Queryable,
  { factionId, lastSeen }: { factionId: number; lastSeen: Date },
): Promise<{ readonly crimeId: number; readonly lastSeen: Date }[]> {
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
  const rows = crimes.map(({ crimeId, slots: _, ...crime }) => ({
    ...{ id: crimeId, factionId, ...crime },
    lastSeen: at,
  }));
  await tx
    .insert(organizedCrimes)
    .values(rows)
    .onConflictDoUpdate({
      target: organizedCrimes.id,
      set: {
        ...excluded(organizedCrimes, [
          "factionId",
          "name",
          "difficulty",
          "status",
          "createdAt",
          "readyAt",
          "executedAt",
          "expiredAt",
          "lastSeen",
        ]),
      },
    });
  await saveSlots(tx, crimes);
}

async function saveSlots(tx: Queryable, crimes: readonly Crime[]): Promise<void> {
  const slots = crimes.flatMap(({ crimeId, slots }) =>
    slots.map(({ slot, position, positionNumber, member, passRate }) => ({
      crimeId,
      slot,
      position,
      positionIndex: positionNumber,
      playerId: member?.playerId ?? null,
      passRate,
    })),
  );
  for (const { crimeId, slots } of crimes) {
    const left = slots.map(({ slot }) => slot);
    await tx
      .delete(organizedCrimeSlots)
      .where(
        and(
          eq(organizedCrimeSlots.crimeId, crimeId),
          left.length > 0 ? notInArray(organizedCrimeSlots.slot, left) : undefined,
        ),
      );
  }
  if (slots.length === 0) return;
  await tx
    .insert(organizedCrimeSlots)
    .values(slots)
    .onConflictDoUpdate({
      target: [organizedCrimeSlots.crimeId, organizedCrimeSlots.slot],
      set: {
        ...excluded(organizedCrimeSlots, ["position", "positionIndex", "playerId", "passRate"]),
      },
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
  seen: {
    readonly factionId: number;
    readonly listed: readonly number[];
    readonly heldUp: readonly number[];
    readonly at: Date;
  },
): Promise<number[]> {
  const { factionId, listed, heldUp, at } = seen;
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
