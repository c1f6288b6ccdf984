import { z } from "zod";
import { count, orNone } from "./fields";

const stat = orNone(z.object({ value: count.nullish() })).transform((told) => told?.value ?? null);

export const battleStatsFields = z.object({
  strength: stat,
  defense: stat,
  speed: stat,
  dexterity: stat,
});

/** Without modifiers; null if any is missing. */
export function battleStatsRecord({
  strength,
  defense,
  speed,
  dexterity,
}: z.output<typeof battleStatsFields>) {
  if (strength === null || defense === null || speed === null || dexterity === null) return null;
  return { strength, defense, speed, dexterity };
}

export type BattleStats = NonNullable<ReturnType<typeof battleStatsRecord>>;

/** Paths of our counters below `personalstats`; all are in the category `popular`. */
const paths = {
  xanax: "drugs.xanax",
  overdoses: "drugs.overdoses",
  energyRefills: "other.refills.energy",
  donatorDays: "other.donator_days",
  awards: "other.awards",
  timeActive: "other.activity.time",
  currentStreak: "other.activity.streak.current",
  bestStreak: "other.activity.streak.best",
  bestDamage: "attacking.damage.best",
  attacksWon: "attacking.attacks.won",
  attacksLost: "attacking.attacks.lost",
  defendsWon: "attacking.defends.won",
  elo: "attacking.elo",
  warHits: "attacking.faction.ranked_war_hits",
  respect: "attacking.faction.respect",
  statEnhancers: "items.used.stat_enhancers",
  energyDrinks: "items.used.energy_drinks",
  boosters: "items.used.boosters",
  jobTrains: "jobs.trains_received",
  networth: "networth.total",
} as const;

/** Nested groups. Extra fields are allowed: the game adds counters every few months. */
export const personalStatsFields = z.record(z.string(), z.unknown()).refine((stats) =>
  Object.values(paths).every((path) => {
    const value = at(stats, path);
    return (
      value === undefined || value === null || (typeof value === "number" && Number.isFinite(value))
    );
  }),
);

function at(stats: unknown, path: string): unknown {
  let here: unknown = stats;
  for (const step of path.split(".")) {
    if (here === undefined || here === null) return here;
    if (typeof here !== "object") return Number.NaN;
    here = Object.hasOwn(here, step) ? (here as Record<string, unknown>)[step] : undefined;
  }
  return here;
}

/** Null if missing, which is never the same as 0. */
export function countersOf(
  stats: z.output<typeof personalStatsFields>,
): Record<string, number | null> {
  return Object.fromEntries(
    Object.entries(paths).map(([name, path]) => {
      const value = at(stats, path);
      return [name, typeof value === "number" ? value : null];
    }),
  );
}
