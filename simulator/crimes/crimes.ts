import { LRUCache } from "lru-cache";
import { daySeconds, hourSeconds, minuteSeconds, toUnixSeconds } from "#server/platform/time";
import { type CrimeType, crimeTypes } from "#simulator/crimes/crime-types";
import { createDraw } from "#simulator/draw";
import type { Faction } from "#simulator/factions";
import type { World } from "#simulator/world";
import { type CrimePlan, createCrimePlans, crimeId, firstVerbId, rowSeconds } from "./crime-plan";

export type CrimeStatus = "Recruiting" | "Planning" | "Successful" | "Failure" | "Expired";

/** Progress of a crime at a moment. Times are Unix seconds. */
interface CrimeCourse {
  readonly status: CrimeStatus;
  readonly planningAt: number | null;
  readonly readyAt: number | null;
  readonly executedAt: number | null;
  /** By slot. */
  readonly filled: readonly boolean[];
}

export interface Crime extends CrimePlan, CrimeCourse {
  readonly factionId: number;
}

const keptDays = 60;
/** Two months of all factions of the large world. */
const mostKnownEnds = 20_000;

export function createCrimes({ seed, world }: { seed: number; world: World }) {
  const drawnRow = createCrimePlans(seed, world);
  const passRate = createPassRates(seed, world);
  const luck = createDraw(seed, "crime-outcome");
  const added: { factionId: number; row: number; plan: CrimePlan }[] = [];
  const old = new Map<number, "code" | "map">();

  const rowOf = (seconds: number) => Math.floor(seconds / rowSeconds);

  const succeeds = ({ id, type, slots }: CrimePlan) => {
    const rates = slots.flatMap(({ index, role }) =>
      index === null ? [] : [passRate(index, role, type.difficulty)],
    );
    const mean = rates.reduce((sum, rate) => sum + rate, 0) / Math.max(1, rates.length);
    return luck.unit(id) < mean / 100;
  };

  /**
   * Ends and their Unix milliseconds. An end stays, because verbs take effect from their own moment
   * on.
   */
  const over = new LRUCache<number, { crime: Crime; since: number }>({ max: mostKnownEnds });

  function at(faction: Faction, plan: CrimePlan, now: Date): Crime {
    const known = over.get(plan.id);
    if (known && known.since < now.getTime()) return known.crime;
    const crime = { ...plan, ...courseOf(plan, { now, world, succeeds }), factionId: faction.id };
    const end =
      crime.executedAt ??
      (crime.status === "Expired" ? Math.max(crime.expiresAt, crime.endsAt) : null);
    if (end === null || end * 1000 >= now.getTime()) return crime;
    over.set(plan.id, { crime, since: end * 1000 });
    return crime;
  }

  function* list(faction: Faction, now: Date, sort: "ASC" | "DESC" = "DESC"): Generator<Crime> {
    const present = toUnixSeconds(now);
    const [first, last] = [rowOf(present - keptDays * daySeconds), rowOf(present)];
    for (let step = 0; step <= last - first; step++) {
      const row = sort === "DESC" ? last - step : first + step;
      const mine = added
        .filter((entry) => entry.factionId === faction.id && entry.row === row)
        .map(({ plan }) => plan);
      const made = drawnRow(faction, row).filter(({ createdAt }) => createdAt <= present);
      const plans = [...made, ...mine].sort((one, other) => one.id - other.id);
      for (const plan of sort === "DESC" ? plans.reverse() : plans) yield at(faction, plan, now);
    }
  }

  /** Crimes that may still have members: those of the last two rows, and all that a verb added. */
  function current(faction: Faction, now: Date): Crime[] {
    const present = toUnixSeconds(now);
    const mine = added.filter(({ factionId }) => factionId === faction.id).map(({ plan }) => plan);
    const rows = [rowOf(present), rowOf(present) - 1].flatMap((row) => drawnRow(faction, row));
    return [...rows, ...mine]
      .filter(({ createdAt, endsAt }) => createdAt <= present && endsAt > present)
      .map((plan) => at(faction, plan, now))
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
    const planning = readyAt - lastJoin;
    const startsAt = readyAt + 60 * Math.ceil(Math.max(0, present - readyAt) / 60);
    const ends = { expiresAt: present + 3 * daySeconds, endsAt: Number.POSITIVE_INFINITY };
    const plan = { id, type, createdAt, slots, planning, startsAt, ...ends };
    added.push({ factionId: faction.id, row: rowOf(present), plan });
    return id;
  }

  return {
    list,
    current,
    add,
    passRate,
    type: (name: string) => crimeTypes.find((type) => type.name === name) ?? null,
    /** The faction's answer in the old crime system, or null if it has migrated. */
    old: (faction: Faction) => old.get(faction.id) ?? null,
    setOld: (faction: Faction, shape: "code" | "map" | null) => {
      if (shape) old.set(faction.id, shape);
      else old.delete(faction.id);
    },
  };
}

/**
 * Pass rate 5 … 100 per player, role and difficulty. Dedicated players are better, and each player
 * has one role that suits them.
 */
function createPassRates(seed: number, world: World) {
  const skill = createDraw(seed, "crime-skill");
  return function passRate(index: number, role: string, difficulty: number): number {
    const letters = [...role].reduce((sum, letter) => sum * 31 + letter.charCodeAt(0), 7) % 65_536;
    const rate =
      92 - 2.5 * difficulty + 9 * world.traits(index).dedication + 5 * skill.normal(index, letters);
    return Math.round(Math.min(100, Math.max(5, rate)));
  };
}

/** `succeeds` is called only for an executed crime. */
function courseOf(
  plan: CrimePlan,
  asked: {
    readonly now: Date;
    readonly world: World;
    readonly succeeds: (plan: CrimePlan) => boolean;
  },
): CrimeCourse {
  const { world } = asked;
  const now = toUnixSeconds(asked.now);
  const leaves = plan.slots.map(({ index, joinedAt, pastDepartures }) =>
    index === null
      ? 0
      : Math.floor(world.departureAfter(index, joinedAt * 1000, pastDepartures) / 1000),
  );
  const lastJoin = Math.max(...plan.slots.map(({ joinedAt }) => joinedAt));
  const complete = plan.slots.every(({ index }) => index !== null) && now >= lastJoin;
  const firstLeave = Math.min(...leaves);
  const wasComplete = complete && firstLeave > lastJoin;
  const executedAt = wasComplete
    ? executionOf(plan, Math.min(now, plan.endsAt, firstLeave - 1), world)
    : null;
  // A player that leaves after the crime's end was still in it.
  const seen = executedAt ?? Math.min(now, wasComplete ? plan.endsAt : plan.expiresAt);
  const filled = plan.slots.map(
    ({ index, joinedAt }, slot) => index !== null && joinedAt <= now && (leaves[slot] ?? 0) > seen,
  );
  const joins = plan.slots.filter((_, slot) => filled[slot]).map(({ joinedAt }) => joinedAt);
  const full = filled.every(Boolean);
  const over = full ? now >= plan.endsAt : now >= plan.expiresAt;
  const waiting = over ? "Expired" : full ? "Planning" : "Recruiting";
  return {
    status: executedAt === null ? waiting : asked.succeeds(plan) ? "Successful" : "Failure",
    planningAt: full ? lastJoin : null,
    readyAt: joins.length === 0 ? null : Math.max(...joins) + plan.planning,
    executedAt,
    filled,
  };
}

/**
 * The first whole minute after readiness, up to `until`, when every participant is Okay; else null.
 * This is the game's own rule: a ready crime checks once a minute.
 */
function executionOf(plan: CrimePlan, until: number, world: World): number | null {
  const people = plan.slots.flatMap(({ index }) => (index === null ? [] : [world.playerAt(index)]));
  let absent = people[0];
  for (let at = plan.startsAt; at <= until; at += minuteSeconds) {
    const then = new Date(at * 1000);
    const away = (player: (typeof people)[number]) => world.status(player, then).state !== "Okay";
    // A player absent a minute ago is probably still absent.
    if (absent && away(absent)) continue;
    absent = people.find(away);
    if (!absent) return at;
  }
  return null;
}
