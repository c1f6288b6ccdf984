import { and, asc, gte, lt, sql } from "drizzle-orm";
import { expiredBy } from "#db/batches";
import type { Queryable } from "#db/client";
import { minuteFigures } from "#db/schema/operations";
import { before, type Sweep, sweepByIndex } from "#db/sweep";
import { daySeconds, minuteMs, secondMs } from "#server/platform/durations";
import type { Totals } from "./totals";

const minuteOf = (at: Date) => new Date(Math.floor(at.getTime() / minuteMs) * minuteMs);

/** Adds what a process counted to the minute of an instant. In the order of their names, so that two processes cannot deadlock. */
export async function addFigures(on: Queryable, at: Date, counted: Totals): Promise<void> {
  const minute = minuteOf(at);
  const rows = Object.entries(counted)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, value]) => ({ minute, name, value }));
  if (rows.length === 0) return;
  await on
    .insert(minuteFigures)
    .values(rows)
    .onConflictDoUpdate({
      target: [minuteFigures.minute, minuteFigures.name],
      set: { value: sql`${minuteFigures.value} + excluded.value` },
    });
}

/** The sums of stretches of so many seconds, from one instant up to another, the earliest first; stretches without any are left out. */
export async function sumFigures(
  on: Queryable,
  { from, until, seconds }: { readonly from: Date; readonly until: Date; readonly seconds: number },
): Promise<{ at: Date; name: string; sum: number }[]> {
  const stretch = sql<number>`(floor(extract(epoch from ${minuteFigures.minute}) / ${seconds}::int) * ${seconds}::int)::float8`;
  const rows = await on
    .select({ stretch, name: minuteFigures.name, sum: sql<number>`sum(${minuteFigures.value})::float8` })
    .from(minuteFigures)
    .where(and(gte(minuteFigures.minute, from), lt(minuteFigures.minute, until)))
    .groupBy(sql`1`, minuteFigures.name)
    .orderBy(asc(sql`1`));
  return rows.map(({ stretch: at, name, sum }) => ({ at: new Date(Number(at) * secondMs), name, sum: Number(sum) }));
}

const rowsKept = 2 * daySeconds;

export const figureSweeps: readonly Sweep[] = [
  sweepByIndex("minute_figures", (moment) => expiredBy(minuteFigures, minuteFigures.minute, before(moment, rowsKept))),
];
