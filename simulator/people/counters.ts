import { createRandom } from "#simulator/draw";
import { type StatsGenerator, scoreOf } from "./battle-stats";
import { logistic, type Progress, type Traits } from "./traits";

/** The `popular` counters that Adjutant reads, by their path below `personalstats`. */
export type Counters = Readonly<Record<string, number>>;

export function createCounters(world: {
  seed: number;
  progress: Progress;
  battleStats: StatsGenerator;
}) {
  const { progress, battleStats } = world;
  const draw = createRandom(world.seed, "counter-traits");

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
    const wealth = Math.log(200_000) + 1.1 * Math.log(1 + activeDays) + draw.normal(index, 5);
    // A streak breaks at the player's longest and restarts.
    const longestRun = 3 + 400 * player.activity * draw.unit(index, 1) ** 3;
    const bestStreak = Math.floor(Math.min(activeDays, longestRun));
    const streak = (day + draw.bits(index, 2)) % (bestStreak + 1);
    return {
      "attacking.attacks.won": won,
      "attacking.attacks.lost": Math.floor(won * 0.13 * Math.exp(0.25 * draw.normal(index, 3))),
      "attacking.defends.won": Math.floor(defends * (0.1 + 0.5 * logistic(dedication))),
      "attacking.elo": Math.max(100, Math.round(elo)),
      "attacking.damage.best": damage,
      "attacking.faction.respect": Math.floor(won * 2.4),
      "attacking.faction.ranked_war_hits": count(19, 0.3 * winRate * logistic(dedication)),
      "jobs.trains_received": count(23, 0.15),
      "items.used.boosters": count(38, 0.4 * logistic(-1.5 + dedication)),
      "items.used.energy_drinks": took.cans,
      "items.used.stat_enhancers": took.enhancers,
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

type Nested = { [name: string]: number | Nested };

function put(into: Nested, [name = "", ...rest]: readonly string[], value: number): void {
  const deeper = into[name];
  const group = typeof deeper === "object" ? deeper : {};
  into[name] = rest.length === 0 ? value : group;
  if (rest.length > 0) put(group, rest, value);
}

export function nestedStats(counters: Counters): Nested {
  const nested: Nested = {};
  for (const [path, value] of Object.entries(counters)) put(nested, path.split("."), value);
  return nested;
}
