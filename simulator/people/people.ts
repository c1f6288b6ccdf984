import { daySeconds } from "#server/platform/time";
import {
  createStatsGenerator,
  type FourStats,
  type StatModelName,
  scoreOf,
  statModels,
} from "./battle-stats";
import { createCounters } from "./counters";
import { createProgress, type TraitsOf } from "./traits";

export const dayNumberOf = (at: Date) => Math.floor(at.getTime() / 1000 / daySeconds);

export function createPeople(world: {
  seed: number;
  epoch: Date;
  traits: TraitsOf;
  statModel?: StatModelName;
}) {
  const { seed, traits, statModel = "plain" } = world;
  const progress = createProgress(world);
  const battleStats = createStatsGenerator({ seed, progress, statModel: statModels[statModel] });
  const counters = createCounters({ seed, progress, battleStats });
  /** Overrides by player, oldest first, so that past values stay. */
  const settings = new Map<number, { from: number; stats: FourStats }[]>();

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
    /** The player has these stats from now on; they no longer grow. */
    setStats: (index: number, given: FourStats, now: Date) => {
      settings.set(index, [...(settings.get(index) ?? []), { from: now.getTime(), stats: given }]);
    },
  };
}
export type People = ReturnType<typeof createPeople>;
