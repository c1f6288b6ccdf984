import { ripeBy } from "#db/batches";
import { organizedCrimes, retaliations } from "#db/schema/faction";
import { before, type Sweep } from "#server/sweeper/sweep";
import { sweepByIndex } from "#server/sweeper/sweep-by-index";

const day = 86_400;
/** A hit can be answered for five minutes. */
const hitsKept = day;
/** A crime that runs is seen every few minutes; one that ended, or is heard of no more, ages. Its delays stay. */
const crimesKept = 90 * day;

export const factionSweeps: readonly Sweep[] = [
  sweepByIndex("retaliations", (moment) => ripeBy(retaliations, retaliations.attackEnded, before(moment, hitsKept))),
  sweepByIndex("organized_crimes", (moment) =>
    ripeBy(organizedCrimes, organizedCrimes.lastSeen, before(moment, crimesKept)),
  ),
];
