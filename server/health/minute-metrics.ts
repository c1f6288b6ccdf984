import type { Context } from "#server/context";
import { describeError } from "#server/platform/errors";
import { daySeconds, hourMs, minuteSeconds, secondMs } from "#server/platform/time";
import { growth, latencyQuantile, type Totals, totalsOf } from "./metric-totals";
import { addFigures, sumFigures } from "./store";

/** The names of the totals that add up from period to period, as `metric-totals.ts` counts them. */
const counters = [
  "calls",
  // Calls that were refused (4xx), and requests of any kind that failed on our side (5xx).
  "refused",
  "errors",
  "pages",
  "signIns",
  "failedSignIns",
  "gameCalls",
  "gameErrors",
  // Rows of the game's lists, those that could not be read, and pages of the vault's news of which no line was understood.
  "gameRows",
  "unreadableRows",
  "unknownNews",
  "jobRuns",
  "failedJobs",
] as const;
type Counters = Readonly<Record<(typeof counters)[number], number>>;

/** The counts of one hour. */
export type Hour = Counters & { readonly at: Date };

/** The counts of a quarter of an hour, of all processes together. */
export interface MetricsPeriod extends Counters {
  readonly at: Date;
  /** Milliseconds within which 95 of 100 calls were answered, events left out; null without a call. */
  readonly p95: number | null;
  /** Seconds between the slots of the jobs and the starts of their runs, on average; null where none began. */
  readonly jobDelay: number | null;
}

export const periodSeconds = 15 * minuteSeconds;
const p95Share = 0.95;
/** Beyond the last bound nothing is known but that it took longer. */
const lastBound = 10;

/** The last 24 hours in quarters of an hour, the earliest first; the last one has only begun. */
export async function listMetricsPeriods(ctx: Context): Promise<MetricsPeriod[]> {
  const until = ctx.now();
  const newest = Math.floor(until.getTime() / secondMs / periodSeconds) * periodSeconds;
  const count = daySeconds / periodSeconds;
  const starts = Array.from(
    { length: count },
    (_, back) => newest - (count - 1 - back) * periodSeconds,
  );
  const from = new Date((starts[0] ?? newest) * secondMs);
  const found = await sumFigures(ctx.database.query, { from, until, seconds: periodSeconds });
  const sums = new Map<number, Totals>();
  for (const { at, name, sum } of found) {
    const start = at.getTime() / secondMs;
    sums.set(start, { ...sums.get(start), [name]: sum });
  }
  return starts.map((start) => periodOf(new Date(start * secondMs), sums.get(start) ?? {}));
}

function periodOf(at: Date, totals: Totals): MetricsPeriod {
  const counts = countersOf((name) => totals[name] ?? 0);
  const seconds = latencyQuantile(totals, p95Share);
  return {
    ...counts,
    at,
    p95: seconds === undefined ? null : Math.min(seconds, lastBound) * secondMs,
    jobDelay: counts.jobRuns === 0 ? null : (totals.jobDelay ?? 0) / counts.jobRuns,
  };
}

/** Periods added up by the hours that they lie in, the newest first, without those in which nothing happened. */
export function hoursOf(periods: readonly MetricsPeriod[]): Hour[] {
  const hours = new Map<number, Counters>();
  for (const period of periods) {
    const start = Math.floor(period.at.getTime() / hourMs) * hourMs;
    const before = hours.get(start);
    hours.set(
      start,
      countersOf((name) => period[name] + (before?.[name] ?? 0)),
    );
  }
  return [...hours]
    .filter(([, counts]) => Object.values(counts).some(Boolean))
    .map(([start, counts]) => ({ ...counts, at: new Date(start) }))
    .reverse();
}

const countersOf = (countOf: (name: keyof Counters) => number): Counters =>
  Object.fromEntries(counters.map((name) => [name, countOf(name)])) as Counters;

/** Adds what this process counts to what all of them counted. */
interface FigureRecorder {
  /** Writes what came since the last time. Never fails: what the database would not take is written with the next. */
  record(): Promise<void>;
  /** Writes the rest. */
  close(): Promise<void>;
}

const recordPauseMs = 10 * secondMs;

/** Reads the metrics, which are counted anyway, every ten seconds: a call costs nothing more. */
export function createFigureRecorder({
  database,
  metrics,
  now,
  log,
}: Pick<Context, "database" | "metrics" | "now" | "log">): FigureRecorder {
  let written: Totals = {};
  let recording = Promise.resolve();
  const write = async () => {
    const totals = totalsOf(metrics);
    await addFigures(database.query, now(), growth(written, totals));
    written = totals;
  };
  const record = () => {
    recording = recording.then(write).catch((error: unknown) => {
      log.debug({ error: describeError(error) }, "figures could not be written");
    });
    return recording;
  };
  const timer = setInterval(record, recordPauseMs).unref();
  return {
    record,
    close: () => {
      clearInterval(timer);
      return record();
    },
  };
}
