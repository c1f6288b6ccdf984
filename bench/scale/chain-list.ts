import type { Database } from "#db/client";
import { searchTargets } from "#server/stats/chain-list/generate-chain-list";
import {
  type ChainOrder,
  scoreRange,
  type TargetSearch,
} from "#server/stats/chain-list/target-search";
import type { FilledWorld } from "./fill-players";
import { type Timed, timed } from "./timed";

const orders: readonly ChainOrder[] = ["random", "recently-updated", "highest-respect"];
const ownScores = [600, 5_600, 44_000];
const difficulties = [
  { min: 1, max: 3 },
  { min: 2, max: 2.1 },
  { min: 2.7, max: 3 },
  { min: 3, max: 12 },
];
const levels = [
  { min: 1, max: 100 },
  { min: 1, max: 20 },
  { min: 50, max: 50 },
  { min: 90, max: 100 },
];
const switches = [
  { factionless: false, inactive: false, limit: 25 },
  { factionless: true, inactive: false, limit: 25 },
  { factionless: false, inactive: true, limit: 25 },
  { factionless: false, inactive: false, limit: 250 },
];
const dayMs = 86_400_000;

/** Every order, with every range of difficulty and level, every switch and several strengths of the caller. */
export async function measureChainList(
  database: Database,
  { world, now, backend }: { world: FilledWorld; now: Date; backend: number },
): Promise<Timed[]> {
  const ago = (days: number) => new Date(now.getTime() - days * dayMs);
  const measured: Timed[] = [];
  for (const order of orders)
    for (const ownScore of ownScores)
      for (const difficulty of difficulties)
        for (const level of levels)
          for (const { inactive, ...rest } of switches) {
            const search: TargetSearch = {
              ...{ ...world.caller, ...rest, ownScore, level, order, now },
              scores: scoreRange(difficulty, ownScore),
              inactive: inactive ? { lastActionBy: ago(30), refreshedSince: ago(21) } : null,
              since: ago(183),
              start: Math.random(),
            };
            const { min, max } = difficulty;
            const name = `${order} ${min}–${max} level ${level.min}–${level.max} score ${ownScore} ${JSON.stringify({ inactive, ...rest })}`;
            measured.push(
              await timed(() => searchTargets(database.query, search), {
                group: rest.limit > 25 ? "250 at once" : order,
                name,
                backend,
              }),
            );
          }
  return measured;
}
