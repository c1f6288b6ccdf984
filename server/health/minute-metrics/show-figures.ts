import type { Context } from "#server/context";
import { daySeconds, minuteSeconds } from "#server/platform/durations";
import { sumFigures } from "./store";
import { secondsWithin } from "./totals";

/** What all processes counted within a quarter of an hour. */
export interface MetricsPeriod {
  readonly at: Date;
  readonly calls: number;
  /** Calls that were refused (4xx), and requests of any kind that failed on our side (5xx). */
  readonly refused: number;
  readonly errors: number;
  readonly pages: number;
  /** Milliseconds within which 95 of 100 calls were answered, events left out; null without a call. */
  readonly p95: number | null;
  readonly signIns: number;
  readonly failedSignIns: number;
  readonly gameCalls: number;
  readonly gameErrors: number;
  /** Rows of the game's lists, those that could not be read, and pages of the vault's news of which no line was understood. */
  readonly gameRows: number;
  readonly unreadableRows: number;
  readonly unknownNews: number;
  readonly jobRuns: number;
  readonly failedJobs: number;
  /** Seconds between the slots of the jobs and the starts of their runs, on average; null where none began. */
  readonly jobDelay: number | null;
}

export const stretchSeconds = 15 * minuteSeconds;
const share = 0.95;
/** Beyond the last bound nothing is known but that it took longer. */
const lastBound = 10;

/** The last 24 hours in quarters of an hour, the earliest first; the last one has only begun. */
export async function showFigures(ctx: Context): Promise<MetricsPeriod[]> {
  const until = ctx.now();
  const newest = Math.floor(until.getTime() / 1_000 / stretchSeconds) * stretchSeconds;
  const count = daySeconds / stretchSeconds;
  const starts = Array.from({ length: count }, (_, back) => newest - (count - 1 - back) * stretchSeconds);
  const from = new Date((starts[0] ?? newest) * 1_000);
  const found = await sumFigures(ctx.database.query, { from, until, seconds: stretchSeconds });
  const sums = new Map<number, Record<string, number>>();
  for (const { at, name, sum } of found) {
    const start = at.getTime() / 1_000;
    sums.set(start, { ...sums.get(start), [name]: sum });
  }
  return starts.map((start) => stretchOf(new Date(start * 1_000), sums.get(start) ?? {}));
}

function stretchOf(at: Date, sums: Readonly<Record<string, number>>): MetricsPeriod {
  const sum = (name: string) => sums[name] ?? 0;
  const seconds = secondsWithin(sums, share);
  const jobRuns = sum("jobRuns");
  return {
    at,
    calls: sum("calls"),
    refused: sum("refused"),
    errors: sum("errors"),
    pages: sum("pages"),
    p95: seconds === undefined ? null : Math.min(seconds, lastBound) * 1_000,
    signIns: sum("signIns"),
    failedSignIns: sum("failedSignIns"),
    gameCalls: sum("gameCalls"),
    gameErrors: sum("gameErrors"),
    gameRows: sum("gameRows"),
    unreadableRows: sum("unreadableRows"),
    unknownNews: sum("unknownNews"),
    jobRuns,
    failedJobs: sum("failedJobs"),
    jobDelay: jobRuns === 0 ? null : sum("jobDelay") / jobRuns,
  };
}
