import { lte, sql } from "drizzle-orm";
import type { Ripe } from "#db/batches";
import { personalStats } from "#db/schema/stats";
import { before, type Moment, type Sweep } from "#server/sweeper/sweep";
import { sweepByIndex } from "#server/sweeper/sweep-by-index";
import { dayOf } from "./stats/day-of";

/** Of a player whom nobody reads again the newest days stay so long: an old estimate is better than none. */
const countersKept = 365 * 86_400;

function oldCounters(moment: Moment): Ripe {
  const { day } = personalStats;
  const where = lte(day, dayOf(before(moment, countersKept)));
  const from: Ripe["from"] = ({ limit, reached }) =>
    sql`${personalStats} where ${where} ${reached === undefined ? sql`` : sql`and ${day} >= ${reached}`} order by ${day} limit ${limit}`;
  return { table: personalStats, where, first: day, from };
}

export const userSweeps: readonly Sweep[] = [sweepByIndex("personal_stats", oldCounters)];
