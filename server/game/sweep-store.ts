import { expiredBy } from "#db/batches";
import { gameBudgets } from "#db/schema/operations";
import { hourSeconds } from "#server/platform/durations";
import { before, type Sweep, sweepByIndex } from "#server/sweeper/sweep";

/** A budget counts for a minute. Players who were not asked for since then leave no trace. */
const budgetsKept = hourSeconds;

export const gameSweeps: readonly Sweep[] = [
  sweepByIndex("game_budgets", (moment) => expiredBy(gameBudgets, gameBudgets.slot, before(moment, budgetsKept))),
];
