import { daySeconds, minuteSeconds } from "#server/platform/time";
import type { Hour } from "./hours";
import type { Health } from "./read-health";

export interface Concern {
  /** "bad": callers or players notice it now. "warn": they will, or some do. */
  readonly tone: "bad" | "warn";
  readonly sentence: string;
}

/** Share of failed calls per hour. */
const errorShare = 0.01;
const manyFailedSignIns = 100;
/** Seconds for an event or a webhook message. */
const longestWait = minuteSeconds;
const manyRows = 10_000;
/** Share of the NOTIFY queue; the alert uses the same. */
const fullQueue = 0.5;
/** Minimum seconds of future partitions; the alert uses the same. */
export const leastAhead = 2 * daySeconds;

const bad = (sentence: string): Concern => ({ tone: "bad", sentence });
const warn = (sentence: string): Concern => ({ tone: "warn", sentence });

/**
 * Worst first.
 * @param hours the last ones
 */
export function concernsOf(health: Health, hours: readonly Hour[]): Concern[] {
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
    if (aheadSeconds < leastAhead || strays > 0)
      yield warn(`The log ${table} runs out of partitions.`);
}

function* ofHours(hours: readonly Hour[]): Generator<Concern> {
  const sum = (read: (hour: Hour) => number) =>
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
