import { LRUCache } from "lru-cache";
import { daySeconds, hourSeconds, minuteSeconds, toUnixSeconds } from "#server/platform/time";
import { type CrimeType, crimeTypes } from "./crime-types";
import { createCache, createRandom } from "./draw";
import type { Faction } from "./factions";
import type { World } from "./world";

interface Slot {
  readonly role: string;
  /** Index of the player; null for an empty slot. */
  readonly index: number | null;
  readonly joinedAt: number;
}

interface PlannedSlot extends Slot {
  /** Number of the player's departures before they took this slot. */
  readonly pastDepartures?: number;
}

/** Decided before any player's state is read. Times are Unix seconds. */
interface CrimePlan {
  readonly id: number;
  readonly factionId: number;
  readonly type: CrimeType;
  readonly createdAt: number;
  readonly expiresAt: number;
  readonly slots: readonly PlannedSlot[];
  /** Seconds from the last join until the crime is ready. */
  readonly planning: number;
  /** Earliest execution: the moment of readiness, or later if a control verb added the crime. */
  readonly startsAt: number;
  /** A crime that still waits then is given up; Infinity for crimes of control verbs. */
  readonly endsAt: number;
}

export type CrimeStatus = "Recruiting" | "Planning" | "Successful" | "Failure" | "Expired";

export interface Crime extends CrimePlan {
  readonly status: CrimeStatus;
  readonly planningAt: number | null;
  readonly readyAt: number | null;
  readonly executedAt: number | null;
  /** With the players that hold them now. */
  readonly slots: readonly Slot[];
}

/** A lane of a faction has one crime in each row of four days, which ends before the next one. */
const rowSeconds = 96 * hourSeconds;
const longestCrime = 86 * hourSeconds;
/** Longest offset of a lane in its rows, and of each crime in addition. */
const laneOffset = 70 * hourSeconds;
const crimeOffset = 9 * hourSeconds;
/** Ids grow by the hour; within an hour lanes take the lower numbers and verbs the upper ones. */
const idsInHour = 4_096;
const firstVerbId = 2_048;
const lastHourOf2019 = 438_287;
const mostLanes = 12;
/** Share of crimes that are timed for a moment when all members should be in town. */
const shareTimedWell = 0.56;
const shareUnderstaffed = 0.06;
const keptDays = 60;
/** Two months of all factions of the large world. */
const mostKnownRows = 3_000;
const mostKnownEnds = 20_000;

const rowOf = (seconds: number) => Math.floor(seconds / rowSeconds);

/** `slot` separates crimes of the same hour. */
const crimeId = (seconds: number, slot: number) =>
  (Math.floor(seconds / hourSeconds) - lastHourOf2019) * idsInHour + slot;

/** Crimes in closed form, by faction, lane and row, plus those of control verbs. */
export function createCrimes({ seed, world }: { seed: number; world: World }) {
  const draw = createRandom(seed, "crimes");
  const order = createRandom(seed, "crime-members");
  const luck = createRandom(seed, "crime-outcome");
  const skill = createRandom(seed, "crime-skill");
  const added: CrimePlan[] = [];
  const old = new Map<number, "code" | "map">();

  /** 5 … 100. Dedicated players are better, and each role suits a player more or less. */
  function passRate(index: number, role: string, difficulty: number): number {
    const letters = [...role].reduce((sum, letter) => sum * 31 + letter.charCodeAt(0), 7) % 65_536;
    const rate =
      92 - 2.5 * difficulty + 9 * world.traits(index).dedication + 5 * skill.normal(index, letters);
    return Math.round(Math.min(100, Math.max(5, rate)));
  }

  /** Members by lane; six active members make one lane. */
  function lanes(faction: Faction): number[][] {
    const willing = world.firstMembers(faction.index).filter((index) => {
      const { fate, silentSince } = world.traits(index);
      return fate === "free" && !silentSince;
    });
    const many = Math.floor(willing.length / 6) || (willing.length >= 3 ? 1 : 0);
    const count = Math.min(mostLanes, many);
    return Array.from({ length: count }, (_, lane) =>
      willing.filter((_, place) => place % count === lane),
    );
  }

  function plan(
    faction: Faction,
    pool: readonly number[],
    { lane, row }: { lane: number; row: number },
  ): CrimePlan[] {
    const entity = faction.index * 16 + lane;
    const n = row * 64;
    const hardest = 5 + (faction.index % 6);
    const fitting = crimeTypes.filter(
      ({ roles, difficulty }) => roles.length <= pool.length && difficulty <= hardest,
    );
    const type = fitting[draw.bits(entity, n) % fitting.length];
    if (!type) return [];
    const offset =
      draw.between(entity, -1, [0, laneOffset]) + draw.between(entity, n + 1, [0, crimeOffset]);
    const began = row * rowSeconds + offset;
    // Within an hour, times and ids have the order of the lanes.
    const createdAt = began - (began % hourSeconds) + lane * 240;
    const people = [...pool].sort((one, other) => order.bits(one, row) - order.bits(other, row));
    const missing =
      draw.unit(entity, n + 2) < shareUnderstaffed
        ? draw.bits(entity, n + 3) % type.roles.length
        : -1;
    let joinedAt = createdAt;
    const slots = type.roles.map((role, slot): PlannedSlot => {
      joinedAt += draw.between(entity, n + 10 + slot, [40, 330]) * minuteSeconds;
      return { role, index: slot === missing ? null : (people[slot] ?? null), joinedAt };
    });
    const base = draw.between(entity, n + 4, [20 * 60, 28 * 60]) * minuteSeconds;
    const tries = draw.unit(entity, n + 5) < shareTimedWell ? 30 : 0;
    const planning =
      Array.from({ length: tries }, (_, step) => base + step * 23 * minuteSeconds).find((each) =>
        slots.every(({ index }) => index === null || isFreeAt(index, joinedAt + each)),
      ) ?? base;
    return [
      {
        id: crimeId(createdAt, faction.index * mostLanes + lane),
        factionId: faction.id,
        type,
        createdAt,
        slots,
        planning,
        expiresAt: createdAt + 72 * hourSeconds,
        startsAt: joinedAt + planning,
        endsAt: createdAt + longestCrime,
      },
    ];
  }

  const isFreeAt = (index: number, seconds: number) =>
    world.drawnStatus(world.traits(index), new Date(seconds * 1000)).state === "Okay";

  const rows = createCache<CrimePlan[]>(mostKnownRows);
  const drawnRow = (faction: Faction, row: number): readonly CrimePlan[] =>
    rows.through(faction.index * 1_000_000 + row, () =>
      lanes(faction).flatMap((pool, lane) => plan(faction, pool, { lane, row })),
    );

  function succeeds({ id, type, slots }: CrimePlan): boolean {
    const rates = slots.map(({ index, role }) => passRate(index ?? 0, role, type.difficulty));
    return luck.unit(id) < rates.reduce((sum, rate) => sum + rate, 0) / rates.length / 100;
  }

  /**
   * The first whole minute after readiness, up to `until`, when every participant is Okay; else
   * null. This is the game's own rule: a ready crime checks once a minute.
   */
  function executionOf({ slots, startsAt }: CrimePlan, until: number): number | null {
    const people = slots.map(({ index }) => world.playerAt(index ?? 0));
    for (let at = startsAt; at <= until; at += minuteSeconds) {
      const then = new Date(at * 1000);
      if (people.every((player) => world.status(player, then).state === "Okay")) return at;
    }
    return null;
  }

  function courseOf(plan: CrimePlan, now: number): Crime {
    const leaves = plan.slots.map(({ index, joinedAt, pastDepartures = 0 }) =>
      index === null
        ? 0
        : Math.floor(world.departureAfter(index, joinedAt * 1000, pastDepartures) / 1000),
    );
    const lastJoin = Math.max(...plan.slots.map(({ joinedAt }) => joinedAt));
    const firstLeave = Math.min(...leaves);
    const wasComplete = now >= lastJoin && firstLeave > lastJoin;
    const executedAt = wasComplete
      ? executionOf(plan, Math.min(now, plan.endsAt, firstLeave - 1))
      : null;
    // A player that leaves after the crime's end was still in it.
    const seen = executedAt ?? Math.min(now, wasComplete ? plan.endsAt : plan.expiresAt);
    const slots = plan.slots.map((slot, place) => ({
      ...slot,
      index: slot.joinedAt <= now && (leaves[place] ?? 0) > seen ? slot.index : null,
    }));
    const joins = slots.flatMap(({ index, joinedAt }) => (index === null ? [] : [joinedAt]));
    const isFull = joins.length === slots.length;
    const isOver = now >= (isFull ? plan.endsAt : plan.expiresAt);
    const waiting = isOver ? "Expired" : isFull ? "Planning" : "Recruiting";
    return {
      ...plan,
      status: executedAt === null ? waiting : succeeds(plan) ? "Successful" : "Failure",
      planningAt: isFull ? lastJoin : null,
      readyAt: joins.length === 0 ? null : Math.max(...joins) + plan.planning,
      executedAt,
      slots,
    };
  }

  /** Ended crimes are kept, because no verb changes the past. */
  const ended = new LRUCache<number, { crime: Crime; at: number }>({ max: mostKnownEnds });

  function crimeAt(plan: CrimePlan, now: number): Crime {
    const known = ended.get(plan.id);
    if (known && known.at < now) return known.crime;
    const crime = courseOf(plan, now);
    const end = crime.status === "Expired" ? Math.max(crime.expiresAt, crime.endsAt) : null;
    const at = crime.executedAt ?? end;
    if (at !== null && at < now) ended.set(plan.id, { crime, at });
    return crime;
  }

  const plansIn = (faction: Faction, first: number, last: number) => [
    ...Array.from({ length: last - first + 1 }, (_, step) =>
      drawnRow(faction, first + step),
    ).flat(),
    ...added.filter(({ factionId }) => factionId === faction.id),
  ];

  /** Unordered. */
  function list(faction: Faction, now: Date): Crime[] {
    const present = toUnixSeconds(now);
    return plansIn(faction, rowOf(present - keptDays * daySeconds), rowOf(present))
      .filter(({ createdAt }) => createdAt <= present)
      .map((plan) => crimeAt(plan, present));
  }

  /** Crimes that may still have members: those of the last two rows, and all that a verb added. */
  function current(faction: Faction, now: Date): Crime[] {
    const present = toUnixSeconds(now);
    return plansIn(faction, rowOf(present) - 1, rowOf(present))
      .filter(({ createdAt, endsAt }) => createdAt <= present && endsAt > present)
      .map((plan) => crimeAt(plan, present))
      .filter(({ status }) => status === "Recruiting" || status === "Planning");
  }

  /** Takes the members out of other crimes. `readyAt` is in Unix seconds. */
  function add(
    requested: { faction: Faction; type: CrimeType; members: number[]; readyAt: number },
    now: Date,
  ): number {
    const { faction, type, members, readyAt } = requested;
    const present = toUnixSeconds(now);
    const createdAt = Math.min(present, readyAt) - 26 * hourSeconds;
    const lastJoin = createdAt + 2 * hourSeconds;
    const id = crimeId(present, firstVerbId + (added.length % firstVerbId));
    const departures = members.map((index) => world.depart(index, now));
    const slots = type.roles.map((role, slot) => ({
      role,
      index: members[slot] ?? null,
      joinedAt: lastJoin - Math.max(0, members.length - 1 - slot) * 600,
      pastDepartures: departures[slot] ?? 0,
    }));
    added.push({
      id,
      factionId: faction.id,
      type,
      createdAt,
      slots,
      planning: readyAt - lastJoin,
      // Starts after the changes of this very second, such as a hospital stay.
      startsAt:
        readyAt +
        minuteSeconds * Math.ceil(Math.max(0, now.getTime() / 1000 - readyAt) / minuteSeconds),
      expiresAt: present + 3 * daySeconds,
      endsAt: Number.POSITIVE_INFINITY,
    });
    return id;
  }

  return {
    list,
    current,
    add,
    passRate,
    /** The faction's answer in the old crime system, or null if it has migrated. */
    old: (faction: Faction) => old.get(faction.id) ?? null,
    setOld: (faction: Faction, shape: "code" | "map" | null) => {
      if (shape) old.set(faction.id, shape);
      else old.delete(faction.id);
    },
  };
}
