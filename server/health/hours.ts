import type { Context } from "#server/context";
import { quantile } from "#server/oauth/clients/traffic/traffic";
import { daySeconds, hourMs, hourSeconds, secondMs } from "#server/platform/time";
import { countCalls, countJobRuns, countLatencies, countSignIns } from "./store";

/** All processes in a time, from stored data. */
export interface Figures {
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

export interface Hour extends Figures {
  readonly at: Date;
}

export interface RecentHours {
  /** Earliest first; the last hour is incomplete. */
  readonly hours: readonly Hour[];
  /** The last 24 complete hours, and the 24 before. */
  readonly day: Figures;
  readonly dayBefore: Figures;
}

const hoursShown = daySeconds / hourSeconds;
const p95Share = 0.95;
const microsInMs = 1_000;

export async function listHours({
  database: { query },
  now,
}: Pick<Context, "database" | "now">): Promise<RecentHours> {
  const newest = Math.floor(now().getTime() / hourMs) * hourMs;
  const hoursAgo = (hours: number) => newest - hours * hourMs;
  const from = new Date(hoursAgo(2 * hoursShown));
  const [calls, latencies, signIns, jobs] = await Promise.all([
    countCalls(query, from),
    countLatencies(query, from),
    countSignIns(query, from),
    countJobRuns(query, from),
  ]);

  function figures(start: number, hours: number): Figures {
    const end = start + hours * hourMs;
    const of = <Row extends { readonly at: Date }>(rows: readonly Row[]) =>
      rows.filter(({ at }) => at.getTime() >= start && at.getTime() < end);
    const latency = new Map<number, number>();
    for (const { power, calls: many } of of(latencies))
      latency.set(power, (latency.get(power) ?? 0) + many);
    const micros = quantile(latency, p95Share);
    const jobRuns = sum(of(jobs), ({ runs }) => runs);
    const delay = sum(of(jobs), (row) => row.delay * row.runs);
    return {
      calls: sum(of(calls), (row) => row.calls),
      refused: sum(of(calls), ({ refused }) => refused),
      errors: sum(of(calls), ({ errors }) => errors),
      p95: micros === null ? null : micros / microsInMs,
      signIns: sum(of(signIns), ({ done }) => done),
      failedSignIns: sum(of(signIns), ({ failed }) => failed),
      jobRuns,
      failedJobs: sum(of(jobs), ({ failed }) => failed),
      jobDelay: jobRuns === 0 ? null : delay / jobRuns / secondMs,
    };
  }

  const starts = Array.from({ length: hoursShown }, (_, at) => hoursAgo(hoursShown - 1 - at));
  return {
    hours: starts.map((start) => ({ at: new Date(start), ...figures(start, 1) })),
    day: figures(hoursAgo(hoursShown), hoursShown),
    dayBefore: figures(hoursAgo(2 * hoursShown), hoursShown),
  };
}

const sum = <Row>(rows: readonly Row[], of: (row: Row) => number): number =>
  rows.reduce((total, row) => total + of(row), 0);
