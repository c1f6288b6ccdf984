import { ripeBy } from "#db/batches";
import { gameBudgets } from "#db/schema/operations";
import { before, type Sweep } from "#server/sweeper/sweep";
import { sweepByIndex } from "#server/sweeper/sweep-by-index";

/** A budget counts for a minute. Players who were not asked for since then leave no trace. */
const budgetsKept = 3_600;

export const gameSweeps: readonly Sweep[] = [
  sweepByIndex("game_budgets", (moment) => ripeBy(gameBudgets, gameBudgets.slot, before(moment, budgetsKept))),
];
