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

/** The day of a moment, in days since 1970, UTC. */
export const dayNumberOf = (at: Date) => Math.floor(at.getTime() / 1000 / daySeconds);

/** Battle stats and counters by the day, with what control verbs set on top. */
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
  /** Of each player the stats that were set, oldest first: what was true before stays true. */
  const settings = new Map<number, { from: number; stats: FourStats }[]>();

  /** The battle stats of a player at a moment. They change with the day, at midnight UTC. */
  function stats(index: number, at: Date): FourStats {
    const set = settings.get(index)?.findLast(({ from }) => from <= at.getTime());
    return set?.stats ?? battleStats.of(traits(index), dayNumberOf(at));
  }

  return {
    traits,
    stats,
    score: (index: number, at: Date) => scoreOf(stats(index, at)),
    /** The score without the stats that control verbs set. */
    drawnScore: (index: number, at: Date) =>
      scoreOf(battleStats.of(traits(index), dayNumberOf(at))),
    /** The counters of a player on a day. */
    counters: (index: number, day: number) => counters(traits(index), day),
    /** Money and points of a player on a day, in the wallet and in banks. */
    purse: (index: number, day: number) => {
      const fortune = counters(traits(index), day).get("networth") ?? 0;
      const part = (n: number) => Math.floor(fortune * 0.1 * purses.unit(index, 8 * day + n));
      const points = purses.between(index, 8 * day, [0, 400]);
      return { fortune, points, wallet: part(1), vault: part(2), bank: part(3) };
    },
    /** Grows with every change that a control verb makes to somebody's stats. */
    version: () => version,
    /** From now on the player has these. They grow no more. */
    setStats: (index: number, given: FourStats, now: Date) => {
      version += 1;
      settings.set(index, [...(settings.get(index) ?? []), { from: now.getTime(), stats: given }]);
    },
    /** Energy that a player spends on attacks on an active day. */
    fightingEnergy: (index: number, day: number) => {
      const player = traits(index);
      const days = Math.max(1, progress.activeDays(player, day));
      const took = battleStats.consumption(player, day);
      return (battleStats.energy(player, day, took) * (1 - player.gymShare)) / days;
    },
  };
}
export type People = ReturnType<typeof createPeople>;
