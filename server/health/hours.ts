import type { Context } from "#server/context";
import { quantile } from "#server/oauth/clients/traffic/traffic";
import { daySeconds, hourMs, hourSeconds, secondMs } from "#server/platform/time";
import { countCalls, countJobRuns, countLatencies, countSignIns } from "./store";

/** All processes in one hour, from stored data. */
export interface Hour {
  readonly at: Date;
  /** Completed hours only: all calls, refusals with 4xx, and our failures. */
  readonly calls: number;
  readonly refused: number;
  readonly errors: number;
  /** 95th percentile in milliseconds; null without a call. */
  readonly p95: number | null;
  readonly signIns: number;
  readonly failedSignIns: number;
  readonly jobRuns: number;
  readonly failedJobs: number;
  /** Average seconds between slots and starts of job runs; null without a run. */
  readonly jobDelay: number | null;
}

const hoursShown = daySeconds / hourSeconds;
const p95Share = 0.95;
const microsInMs = 1_000;

/** Earliest first; the last hour is incomplete. */
export async function listHours({
  database: { query },
  now,
}: Pick<Context, "database" | "now">): Promise<Hour[]> {
  const newest = Math.floor(now().getTime() / hourMs) * hourMs;
  const starts = Array.from(
    { length: hoursShown },
    (_, at) => newest - (hoursShown - 1 - at) * hourMs,
  );
  const from = new Date(starts[0] ?? newest);
  const [calls, latencies, signIns, jobs] = await Promise.all([
    countCalls(query, from),
    countLatencies(query, from),
    countSignIns(query, from),
    countJobRuns(query, from),
  ]);
  const of = <Row extends { readonly at: Date }>(rows: readonly Row[], start: number) =>
    rows.filter(({ at }) => at.getTime() === start);
  return starts.map((start) => {
    const [counted] = of(calls, start);
    const [signed] = of(signIns, start);
    const [ran] = of(jobs, start);
    const latency = of(latencies, start).map(({ power, calls: many }) => [power, many] as const);
    const micros = quantile(new Map(latency), p95Share);
    return {
      at: new Date(start),
      calls: counted?.calls ?? 0,
      refused: counted?.refused ?? 0,
      errors: counted?.errors ?? 0,
      p95: micros === null ? null : micros / microsInMs,
      signIns: signed?.done ?? 0,
      failedSignIns: signed?.failed ?? 0,
      jobRuns: ran?.runs ?? 0,
      failedJobs: ran?.failed ?? 0,
      jobDelay: ran ? ran.delay / secondMs : null,
    };
  });
}
