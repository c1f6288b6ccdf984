import { countUndeliveredMessages } from "#server/chat/deliver-message";
import { type Context, perProcess } from "#server/context";
import { measureInboxBacklog } from "#server/event-log/sequencer";
import { readAddressCallsLeft, readBudgetUse } from "#server/game/budget";
import type { Job } from "#server/jobs/job";
import { type JobHealth, readJobsHealth } from "#server/jobs/jobs-health";
import { version } from "#server/platform/env";
import { secondMs } from "#server/platform/time";
import { singleFlight } from "#server/platform/ttl-cache";
import { within } from "#server/platform/within";
import { keepPartitionsJob, logStatesOf } from "#server/sweeper/log-partitions";
import { sweepBacklogOf, sweepExpiredJob } from "#server/sweeper/run-sweeps";
import { measureWebhookBacklog } from "#server/webhooks/endpoint-views";
import { type JsonAnswer, jsonAnswer } from "../platform/json-answer";
import { readNotifyQueueUsage } from "./store";

/** Milliseconds for optional parts, which do not affect readiness. */
const timeoutMs = 2_000;

/** Reads use the key pool, so that health works however many connections are in use. */
const ask = <Part>(read: () => Promise<Part>, milliseconds = timeoutMs): Promise<Part | null> =>
  within(milliseconds, read).catch(() => null);

/** Public, so it has no names, counts or times. @param databaseAnswers as a query just showed */
function readinessOf(ctx: Context, databaseAnswers: boolean) {
  const limiter = ctx.limiter.status();
  const warning = ctx.presence.warning();
  const database = databaseAnswers ? "ok" : "unavailable";
  const limits = limiter.kind === "process" || limiter.shared ? "ok" : "fallback";
  const hints = ctx.database.hints.failing() ? "failing" : "ok";
  return {
    status: ctx.presence.draining() ? "draining" : databaseAnswers ? "ready" : "unavailable",
    version,
    instance: ctx.presence.id,
    database: { kind: ctx.database.kind, status: database },
    /** `shared` is also false while Redis is unavailable. */
    limiter: { ...limiter, status: limits, ...(warning && { warning }) },
    /** "failing": other processes learn of changes by polling, within a second. */
    hints: { status: hints },
  } as const;
}

/**
 * Null if the database does not answer. The deadline is that of a call, because a slow machine that
 * still answers calls must not make all instances unready.
 */
const readJobHealth = (ctx: Context): Promise<readonly JobHealth[] | null> => jobHealth(ctx)(ctx);

const jobHealth = perProcess("job health", () =>
  singleFlight((ctx: Context) =>
    ask(() => readJobsHealth(ctx), ctx.settings.databaseTimeout * secondMs),
  ),
);

export type Health = Awaited<ReturnType<typeof readHealth>>;

/** A part is null if unknown, or before the first run of its job. */
export async function readHealth(ctx: Context) {
  const [jobs, budgets, callsLeft, messages, inbox, webhooks, queue] = await Promise.all([
    readJobHealth(ctx),
    ask(() => readBudgetUse(ctx)),
    ask(() => readAddressCallsLeft(ctx, ctx.settings.gameCallsAMinute)),
    ask(() => countUndeliveredMessages(ctx.database.keyPool)),
    ask(() => measureInboxBacklog(ctx)),
    ask(() => measureWebhookBacklog(ctx)),
    ask(() => readNotifyQueueUsage(ctx.database.keyPool)),
  ]);
  const countsOf = (job: Job) => jobs?.find(({ name }) => name === job.name)?.counts ?? null;
  const readiness = readinessOf(ctx, jobs !== null);
  return {
    ...readiness,
    hints: { ...readiness.hints, queue },
    game: {
      source: ctx.settings.gameApiUrl ? ("upstream" as const) : ("simulated" as const),
      ...ctx.game.upstream(),
      budgets,
      callsLeft,
    },
    chat: {
      source: ctx.settings.chatBot ? ("upstream" as const) : ("recorded" as const),
      messages,
    },
    events: { subscribers: ctx.events.feed.size(), inbox },
    webhooks,
    backlog: sweepBacklogOf(countsOf(sweepExpiredJob)),
    logs: logStatesOf(countsOf(keepPartitionsJob)),
    jobs: jobs ?? [],
  };
}

/** Public, so it does not name the late job. */
async function publicReadiness(ctx: Context) {
  const jobs = await readJobHealth(ctx);
  return {
    ...readinessOf(ctx, jobs !== null),
    game: { status: ctx.game.upstream().breaker === "closed" ? "ok" : "away" },
    jobs: {
      status:
        jobs === null ? "unknown" : jobs.some(({ status }) => status === "late") ? "late" : "ok",
    },
  };
}

/** `GET /health/live`: the process runs; `GET /health/ready`: it can work and wants requests. */
export async function answerHealth(
  ctx: Context,
  request: Request,
  probe: string,
  requestId = ctx.ids.request(),
): Promise<Response> {
  const say = (status: number, record: object, headers?: JsonAnswer["headers"]) =>
    jsonAnswer(request, ctx.settings, { status, record, requestId, headers });
  if (probe !== "live" && probe !== "ready") return say(404, { status: "unknown" });
  if (request.method !== "GET" && request.method !== "HEAD")
    return say(405, { status: "method not allowed" }, { Allow: "GET, HEAD" });
  if (probe === "live") return say(200, { status: "live", version });
  const report = await publicReadiness(ctx);
  return say(report.status === "ready" ? 200 : 503, report);
}
