import { createDraw } from "#simulator/draw";
import { type BattleStats, type FourStats, scoreOf, totalOf } from "./battle-stats";
import { clamp, logistic, type Progress, type Traits } from "./traits";

/** Published lifetime counters by their path below `personalstats`. */
export type Counters = Readonly<Record<string, number>>;

/** By the game's document, `cat=popular` leaves these out. */
const unpopular = [
  "attacking.highest_level_beaten",
  "attacking.faction.retaliations",
  "hospital.times_hospitalized",
];

export function createCounters(world: {
  seed: number;
  progress: Progress;
  battleStats: BattleStats;
}) {
  const { progress, battleStats } = world;
  const draw = createDraw(world.seed, "counter-traits");

  /** @param day days since 1970, UTC */
  return function counters(player: Traits, day: number): Counters {
    const { index, winRate, dedication } = player;
    /** `stream` separates the counters of a player; `rate` is per active day. */
    const count = (stream: number, rate: number) => progress.counter(player, day, { stream, rate });
    const activeDays = progress.activeDays(player, day);
    const took = battleStats.consumption(player, day);
    const stats = battleStats.of(player, day);
    const won = count(10, winRate);
    const defends = count(52, 0.9);
    const damage = Math.round(
      60 * (stats.strength + 1) ** 0.28 * Math.exp(0.1 * draw.normal(index, 4)),
    );
    const elo = 1000 + 160 * (Math.log(scoreOf(stats)) - 8) + 120 * draw.normal(index, 6);
    const highest = 8 * Math.log1p(won) + 6 * draw.normal(index, 7);
    const wealth = Math.log(200_000) + 1.1 * Math.log(1 + activeDays) + draw.normal(index, 5);
    // A run breaks after the player's best one and restarts.
    const longestRun = 3 + 400 * player.activity * draw.unit(index, 1) ** 3;
    const bestStreak = Math.floor(Math.min(activeDays, longestRun));
    const streak = (day + draw.bits(index, 2)) % (bestStreak + 1);
    return {
      "attacking.attacks.won": won,
      "attacking.attacks.lost": Math.floor(won * 0.13 * Math.exp(0.25 * draw.normal(index, 3))),
      "attacking.defends.won": Math.floor(defends * (0.1 + 0.5 * logistic(dedication))),
      "attacking.elo": Math.max(100, Math.round(elo)),
      "attacking.highest_level_beaten": clamp(Math.round(highest), 1, 100),
      "attacking.damage.best": damage,
      "attacking.faction.respect": Math.floor(won * 2.4),
      "attacking.faction.retaliations": count(18, 0.01 * winRate),
      "attacking.faction.ranked_war_hits": count(19, 0.3 * winRate * logistic(dedication)),
      "jobs.trains_received": count(23, 0.15),
      "hospital.times_hospitalized": count(28, 0.4),
      "items.used.boosters": count(38, 0.4 * logistic(-1.5 + dedication)),
      "items.used.energy_drinks": took.cans,
      "items.used.stat_enhancers": took.enhancers,
      "travel.total": count(41, 0.3),
      "drugs.xanax": took.stimulants,
      "drugs.overdoses": Math.floor(took.stimulants * 0.012),
      "networth.total": Math.floor(Math.exp(wealth + 0.02 * draw.normal(index, 1_000 + day))),
      "other.activity.time": Math.floor(activeDays * (1_500 + 9_000 * player.activity)),
      "other.activity.streak.best": bestStreak,
      "other.activity.streak.current": player.silentDays === null ? streak : 0,
      "other.awards": count(50, 0.125),
      "other.refills.energy": took.refills,
      "other.donator_days": count(49, logistic(dedication - 0.3)),
    };
  };
}

/** Readable by the key's owner only. */
const ownCategory = "battle_stats";
const categories = new Set([
  "all",
  "popular",
  "attacking",
  ownCategory,
  "jobs",
  "trading",
  "jail",
  "hospital",
  "finishing_hits",
  "communication",
  "crimes",
  "bounties",
  "investments",
  "items",
  "travel",
  "drugs",
  "missions",
  "racing",
  "networth",
  "other",
  "itemmarket",
]);

/** The game's error code for wrong parameters. Named stats are not simulated. */
export function refusesStats(query: URLSearchParams): number | null {
  const category = query.get("cat");
  if (query.has("stat") === (category !== null)) return 26;
  if (category === null) return 25;
  return categories.has(category) ? null : 21;
}

type Nested = { [name: string]: number | Nested };

function put(into: Nested, [name = "", ...rest]: readonly string[], value: number): void {
  const deeper = into[name];
  const group = typeof deeper === "object" ? deeper : {};
  into[name] = rest.length === 0 ? value : group;
  if (rest.length > 0) put(group, rest, value);
}

/** @param battleStats of the key's owner if the key may read them; else null */
export function nestedStats(
  category: string,
  counters: Counters,
  battleStats: FourStats | null,
): Nested {
  const nested: Nested = {};
  for (const [path, value] of Object.entries(counters)) {
    const isWanted =
      category === "all" ||
      (category === "popular" ? !unpopular.includes(path) : path.startsWith(`${category}.`));
    if (isWanted) put(nested, path.split("."), value);
  }
  if (battleStats && (category === "all" || category === ownCategory))
    nested[ownCategory] = { ...battleStats, total: totalOf(battleStats) };
  return nested;
}
