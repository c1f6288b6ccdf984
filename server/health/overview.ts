import type { Context } from "#server/context";
import { quantile } from "#server/oauth/clients/traffic/traffic";
import { daySeconds, hourMs, hourSeconds, minuteSeconds, secondMs } from "#server/platform/time";
import type { Health } from "./read-health";
import {
  countCallsByHour,
  countJobRunsByHour,
  countLatenciesByHour,
  countSignInsByHour,
} from "./store";

export type RecentHours = Awaited<ReturnType<typeof readRecentHours>>;
export type HourFigures = RecentHours["hours"][number];
export type DayFigures = RecentHours["day"];

const hoursShown = daySeconds / hourSeconds;
const p95Share = 0.95;
const microsInMs = 1_000;

/** Counts all processes, from stored data. Earliest hour first; the last hour is incomplete. */
export async function readRecentHours({
  database: { query },
  now,
}: Pick<Context, "database" | "now">) {
  const newest = Math.floor(now().getTime() / hourMs) * hourMs;
  const hoursAgo = (hours: number) => newest - hours * hourMs;
  const from = new Date(hoursAgo(2 * hoursShown));
  const [calls, latencies, signIns, jobs] = await Promise.all([
    countCallsByHour(query, from),
    countLatenciesByHour(query, from),
    countSignInsByHour(query, from),
    countJobRunsByHour(query, from),
  ]);

  function figures(start: number, hours: number) {
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
      /** Traffic is counted in completed hours only. */
      calls: sum(of(calls), (row) => row.calls),
      refused: sum(of(calls), ({ refused }) => refused),
      errors: sum(of(calls), ({ errors }) => errors),
      /** Milliseconds. */
      p95: micros === null ? null : micros / microsInMs,
      signIns: sum(of(signIns), ({ done }) => done),
      failedSignIns: sum(of(signIns), ({ failed }) => failed),
      jobRuns,
      failedJobs: sum(of(jobs), ({ failed }) => failed),
      /** Average seconds between slots and starts. */
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

export interface Concern {
  /** "bad": callers or players notice the problem now. */
  readonly tone: "bad" | "warn";
  readonly sentence: string;
}

/** Share of an hour's calls or job runs. */
const errorShare = 0.01;
const manyFailedSignIns = 100;
/** Seconds. */
const longestWait = minuteSeconds;
const manyRows = 10_000;
/** Same as in the alert. */
const fullQueue = 0.5;
/** Seconds, as in the alert. */
export const minAheadSeconds = 2 * daySeconds;

const bad = (sentence: string): Concern => ({ tone: "bad", sentence });
const warn = (sentence: string): Concern => ({ tone: "warn", sentence });

export function concernsOf(health: Health, hours: readonly HourFigures[]): Concern[] {
  const found = [...ofParts(health), ...ofWork(health), ...ofHours(hours)];
  return [
    ...found.filter(({ tone }) => tone === "bad"),
    ...found.filter(({ tone }) => tone === "warn"),
  ];
}

function* ofParts({ database, limiter, hints, game }: Health): Generator<Concern> {
  if (database.status !== "ok") yield bad("The database does not answer.");
  if (limiter.status === "fallback")
    yield bad("Redis does not answer: each process counts limits for itself.");
  if (hints.status === "failing" || (hints.queue ?? 0) > fullQueue)
    yield warn(
      "The database's NOTIFY queue fills up: a session that listens stays in a transaction. Other instances hear of changes up to a second later.",
    );
  if (limiter.warning) yield warn(limiter.warning);
  if (game.breaker !== "closed")
    yield bad("The game does not answer. Calls that need it fail at once until it does.");
  if (game.callsLeft === 0) yield warn("This minute's calls to the game are used up (GAME_CALLS).");
}

function* ofWork({ jobs, events, webhooks, chat, backlog, logs }: Health): Generator<Concern> {
  const late = jobs.filter(({ status }) => status === "late").map(({ name }) => name);
  if (late.length > 0) yield bad(`Late jobs: ${late.join(", ")}.`);
  if ((events.inbox?.lagSeconds ?? 0) > longestWait)
    yield bad("Events that happened wait for their number.");
  if ((webhooks?.lagSeconds ?? 0) > longestWait)
    yield bad("No process delivers webhooks that are due.");
  if ((webhooks?.failing ?? 0) > 0)
    yield warn(`Webhook endpoints that fail: ${webhooks?.failing}.`);
  if ((chat.messages?.givenUp ?? 0) > 0)
    yield warn(`Messages that the chat refused: ${chat.messages?.givenUp}.`);
  if ((backlog?.rows ?? 0) >= manyRows)
    yield warn("The sweeper does not keep up with expired rows.");
  for (const { table, aheadSeconds, strays } of logs)
    if (aheadSeconds < minAheadSeconds || strays > 0)
      yield warn(`The log ${table} runs out of partitions.`);
}

function* ofHours(hours: readonly HourFigures[]): Generator<Concern> {
  const sum = (read: (hour: HourFigures) => number) =>
    hours.reduce((total, hour) => total + read(hour), 0);
  const [answers, errors] = [sum(({ calls }) => calls), sum(({ errors: failed }) => failed)];
  if (errors > answers * errorShare)
    yield bad(`${errors} of ${answers} calls of the last hour failed on our side.`);
  const [failedJobs, jobRuns] = [sum((hour) => hour.failedJobs), sum((hour) => hour.jobRuns)];
  if (failedJobs > jobRuns * errorShare)
    yield warn(`${failedJobs} of ${jobRuns} runs of jobs failed in the last hour.`);
  const [failed, done] = [sum(({ failedSignIns }) => failedSignIns), sum(({ signIns }) => signIns)];
  if (failed >= manyFailedSignIns && failed > done)
    yield warn(`${failed} sign-ins failed in the last hour, and ${done} succeeded.`);
}
