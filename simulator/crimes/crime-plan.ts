import { hourSeconds } from "#server/platform/time";
import { type CrimeType, crimeTypes } from "#simulator/crimes/crime-types";
import { createDraw } from "#simulator/draw";
import type { Faction } from "#simulator/factions";
import { createMemory } from "#simulator/memory";
import type { World } from "#simulator/world";

export interface PlannedSlot {
  readonly role: string;
  /** Index of the player; null for a slot that stays empty. */
  readonly index: number | null;
  readonly joinedAt: number;
  /** Number of the player's departures before they took this slot. */
  readonly pastDepartures: number;
}

/**
 * The part of a crime that is decided before any player's state is read. Times are Unix seconds.
 */
export interface CrimePlan {
  readonly id: number;
  readonly type: CrimeType;
  readonly createdAt: number;
  /** Deadline for joins. */
  readonly expiresAt: number;
  readonly slots: readonly PlannedSlot[];
  /** Seconds from the last join until the crime is ready. */
  readonly planning: number;
  /** Earliest execution: the moment of readiness, or later if a control verb added the crime. */
  readonly startsAt: number;
  /** A crime that still waits then is given up; Infinity for crimes of control verbs. */
  readonly endsAt: number;
}

/** A lane of a faction holds one crime per row of four days. */
export const rowSeconds = 96 * hourSeconds;
/** The first crime of a row is made within 86 hours, so that rows never overlap. */
const latestStart = 86 * hourSeconds;
/** Ids grow by the hour; within an hour lanes take the lower numbers and verbs the upper ones. */
const idsInHour = 4_096;
export const firstVerbId = 2_048;
const mostLanes = 12;
const mostKnownFactions = 200;
/** Two months of all factions of the large world. */
const mostKnownRows = 3_000;
const lastHourOf2019 = 438_287;
/** Share of crimes that are timed for a moment when all members should be in town. */
const shareTimedWell = 0.56;
const shareUnderstaffed = 0.06;

/** `slot` separates crimes of the same hour. */
export const crimeId = (seconds: number, slot: number) =>
  (Math.floor(seconds / hourSeconds) - lastHourOf2019) * idsInHour + slot;

/** Closed form of all drawn crimes, by faction, lane and row. */
export function createCrimePlans(seed: number, world: World) {
  const draw = createDraw(seed, "crimes");
  const order = createDraw(seed, "crime-members");

  function lanes(faction: Faction): number[][] {
    const willing = world.firstMembers(faction).filter((index) => {
      const player = world.drawnPlayer(index);
      return player.fate === "free" && !player.silentSince;
    });
    const count = Math.min(
      mostLanes,
      Math.floor(willing.length / 6) || (willing.length >= 3 ? 1 : 0),
    );
    return Array.from({ length: count }, (_, lane) =>
      willing.filter((_, place) => place % count === lane),
    );
  }

  function typeFor(faction: Faction, pool: number, roll: number): CrimeType | null {
    const hardest = 5 + (faction.index % 6);
    const fitting = crimeTypes.filter(
      ({ roles, difficulty }) => roles.length <= pool && difficulty <= hardest,
    );
    return fitting[roll % fitting.length] ?? null;
  }

  /** Seconds after `lastJoin`, mostly moved until all members should be in town. */
  function planningFrom(
    lastJoin: number,
    taken: readonly number[],
    luck: { entity: number; n: number },
  ): number {
    const base = draw.between(luck.entity, luck.n, [20 * 60, 28 * 60]) * 60;
    if (draw.unit(luck.entity, luck.n + 1) >= shareTimedWell) return base;
    const people = taken.map(world.drawnPlayer);
    for (let step = 0; step < 30; step++) {
      const planning = base + step * 23 * 60;
      const then = new Date((lastJoin + planning) * 1000);
      if (people.every((player) => world.drawnStatus(player, then).state === "Okay"))
        return planning;
    }
    return base;
  }

  function plan(
    faction: Faction,
    pool: readonly number[],
    place: { lane: number; row: number },
  ): CrimePlan | null {
    const entity = faction.index * 16 + place.lane;
    const n = place.row * 64;
    const type = typeFor(faction, pool.length, draw.bits(entity, n));
    if (!type) return null;
    const offset =
      draw.between(entity, -1, [0, 70 * hourSeconds]) +
      draw.between(entity, n + 1, [0, latestStart - 70 * hourSeconds - 1]);
    const began = place.row * rowSeconds + offset;
    // Within an hour the order is that of the lanes, as it is for the ids.
    const createdAt =
      began - (began % hourSeconds) + place.lane * 240 + draw.between(entity, n + 2, [0, 239]);
    const people = [...pool].sort(
      (one, other) => order.bits(one, place.row) - order.bits(other, place.row),
    );
    const missing =
      draw.unit(entity, n + 3) < shareUnderstaffed
        ? draw.between(entity, n + 4, [0, type.roles.length - 1])
        : -1;
    let joinedAt = createdAt + draw.between(entity, n + 5, [5, 90]) * 60;
    const slots = type.roles.map((role, slot): PlannedSlot => {
      if (slot > 0) joinedAt += draw.between(entity, n + 10 + slot, [40, 330]) * 60;
      const index = slot === missing ? null : (people[slot] ?? null);
      return { role, index, joinedAt, pastDepartures: 0 };
    });
    const taken = slots.flatMap(({ index }) => (index === null ? [] : [index]));
    const planning = planningFrom(joinedAt, taken, { entity, n: n + 20 });
    return {
      id: crimeId(createdAt, faction.index * mostLanes + place.lane),
      type,
      createdAt,
      expiresAt: createdAt + 72 * hourSeconds,
      slots,
      planning,
      startsAt: joinedAt + planning,
      endsAt: createdAt + rowSeconds - 10 * hourSeconds,
    };
  }

  const knownLanes = createMemory<number[][]>(mostKnownFactions);
  const knownRows = createMemory<readonly CrimePlan[]>(mostKnownRows);

  /** Drawn once, because the plans never change; unordered. */
  return function row(faction: Faction, number: number): readonly CrimePlan[] {
    return knownRows.through(faction.index * 1_000_000 + number, () => {
      const pools = knownLanes.through(faction.index, () => lanes(faction));
      return pools.flatMap((pool, lane) => plan(faction, pool, { lane, row: number }) ?? []);
    });
  };
}
