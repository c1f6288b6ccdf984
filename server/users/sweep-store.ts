import { lte, sql } from "drizzle-orm";
import type { ExpiredRows } from "#db/batches";
import { personalStats } from "#db/schema/stats";
import { before, type Moment, type Sweep, sweepByIndex } from "#db/sweep";
import { daySeconds } from "#server/platform/durations";
import { dayOf } from "#server/platform/time";

/** How long the newest days of a player stay that nobody reads again: an old estimate is better than none. */
const countersKept = 365 * daySeconds;

function oldCounters(moment: Moment): ExpiredRows {
  const { day } = personalStats;
  const where = lte(day, dayOf(before(moment, countersKept)));
  const from: ExpiredRows["from"] = ({ limit, reached }) =>
    sql`${personalStats} where ${where} ${reached === undefined ? sql`` : sql`and ${day} >= ${reached}`} order by ${day} limit ${limit}`;
  return { table: personalStats, where, first: day, from };
}

export const userSweeps: readonly Sweep[] = [sweepByIndex("personal_stats", oldCounters)];
