import { daySeconds } from "#server/platform/time";
import { createDraw } from "#simulator/draw";
import {
  createBattleStats,
  type FourStats,
  type StatModelName,
  scoreOf,
  statModels,
} from "./battle-stats";
import { createCounters } from "./counters";
import { createProgress } from "./progress";
import type { TraitsOf } from "./traits";

export const dayNumberOf = (at: Date) => Math.floor(at.getTime() / 1000 / daySeconds);

/** Battle stats and counters by day, with overrides of control verbs. */
export function createPeople(world: {
  seed: number;
  epoch: Date;
  traits: TraitsOf;
  statModel?: StatModelName;
}) {
  const { seed, traits, statModel = "plain" } = world;
  const progress = createProgress(world);
  const battleStats = createBattleStats({ seed, progress, statModel: statModels[statModel] });
  const purses = createDraw(seed, "purses");
  const counters = createCounters({ seed, progress, battleStats });
  let version = 0;
  /** Overrides by player, oldest first, so that past values stay. */
  const settings = new Map<number, { from: number; stats: FourStats }[]>();

  /** Changes daily, at midnight UTC. */
  function stats(index: number, at: Date): FourStats {
    const set = settings.get(index)?.findLast(({ from }) => from <= at.getTime());
    return set?.stats ?? battleStats.of(traits(index), dayNumberOf(at));
  }

  return {
    traits,
    stats,
    score: (index: number, at: Date) => scoreOf(stats(index, at)),
    /** Without overrides of control verbs. */
    drawnScore: (index: number, at: Date) =>
      scoreOf(battleStats.of(traits(index), dayNumberOf(at))),
    counters: (index: number, day: number) => counters(traits(index), day),
    purse: (index: number, day: number) => {
      const fortune = counters(traits(index), day).get("networth") ?? 0;
      const part = (n: number) => Math.floor(fortune * 0.1 * purses.unit(index, 8 * day + n));
      const points = purses.between(index, 8 * day, [0, 400]);
      return { fortune, points, wallet: part(1), vault: part(2), bank: part(3) };
    },
    version: () => version,
    /** The player has these stats from now on; they no longer grow. */
    setStats: (index: number, given: FourStats, now: Date) => {
      version += 1;
      settings.set(index, [...(settings.get(index) ?? []), { from: now.getTime(), stats: given }]);
    },
    /** Per active day. */
    fightingEnergy: (index: number, day: number) => {
      const player = traits(index);
      const days = Math.max(1, progress.activeDays(player, day));
      const took = battleStats.consumption(player, day);
      return (battleStats.energy(player, day, took) * (1 - player.gymShare)) / days;
    },
  };
}
export type People = ReturnType<typeof createPeople>;
