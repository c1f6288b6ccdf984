import { countUndeliveredMessages } from "#server/chat/deliver-message";
import { type Context, perProcess } from "#server/context";
import { type InboxBacklog, inboxBacklog } from "#server/event-log/sequencer";
import type { UpstreamState } from "#server/game/breaker";
import { addressCallsLeft, budgetUse } from "#server/game/budget";
import type { Job } from "#server/jobs/job";
import { type JobHealth, jobsHealth } from "#server/jobs/jobs-health";
import { version } from "#server/platform/env";
import { secondMs } from "#server/platform/time";
import { singleFlight } from "#server/platform/ttl-cache";
import { within } from "#server/platform/within";
import { keepPartitions, type LogState, logStatesIn } from "#server/sweeper/log-partitions";
import { type Backlog, backlogIn, sweepExpired } from "#server/sweeper/run-sweeps";
import { type WebhookBacklog, webhookBacklog } from "#server/webhooks/endpoint-views";
import { type JsonAnswer, jsonAnswer } from "../platform/json-answer";
import { readNotifyQueue } from "./store";

/** Public, so without names, counts or times. */
export interface ReadinessReport {
  /** "draining": shutting down; "unavailable": the database does not answer. */
  readonly status: "ready" | "draining" | "unavailable";
  readonly version: string;
  /** As in `npm run admin -- instances`. */
  readonly instance: string;
  readonly database: {
    readonly kind: "postgres" | "pglite";
    readonly status: "ok" | "unavailable";
  };
  /** `shared` is false for separate counts: by setting, or while Redis is unavailable. */
  readonly limiter: {
    readonly kind: string;
    readonly shared: boolean;
    readonly status: "ok" | "fallback";
    readonly warning?: string;
  };
  /** "failing": the database refuses NOTIFY; other processes then poll within a second. */
  readonly hints: { readonly status: "ok" | "failing" };
}

export interface Health extends ReadinessReport {
  /** As this process last saw it, and all processes' calls of this minute. */
  readonly game: {
    readonly source: "simulated" | "upstream";
    readonly budgets: Awaited<ReturnType<typeof budgetUse>> | null;
    readonly callsLeft: number | null;
  } & UpstreamState;
  /** `queue`: used share of the database's NOTIFY queue, 0 … 1. */
  readonly hints: ReadinessReport["hints"] & { readonly queue: number | null };
  /** Undelivered messages, and those refused for good. */
  readonly chat: {
    readonly source: "recorded" | "upstream";
    readonly messages: { readonly waiting: number; readonly givenUp: number } | null;
  };
  readonly events: { readonly subscribers: number; readonly inbox: InboxBacklog | null };
  readonly webhooks: WebhookBacklog | null;
  /** Rows due for the sweeper; null before its first run. */
  readonly backlog: Backlog | null;
  /** From the last run of their job. */
  readonly logs: readonly LogState[];
  readonly jobs: readonly JobHealth[];
}

/** Milliseconds for optional parts, which do not affect readiness. */
const timeoutMs = 2_000;

/** Over the key pool, so that health works however many connections are in use. */
const ask = <Part>(read: () => Promise<Part>, milliseconds = timeoutMs): Promise<Part | null> =>
  within(milliseconds, read).catch(() => null);

/** @param databaseAnswers result of a query just now */
export function readinessOf(ctx: Context, databaseAnswers: boolean): ReadinessReport {
  const limiter = ctx.limiter.status();
  const warning = ctx.presence.warning();
  return {
    status: ctx.presence.draining() ? "draining" : databaseAnswers ? "ready" : "unavailable",
    version,
    instance: ctx.presence.id,
    database: { kind: ctx.database.kind, status: databaseAnswers ? "ok" : "unavailable" },
    limiter: {
      ...limiter,
      status: limiter.kind === "process" || limiter.shared ? "ok" : "fallback",
      ...(warning && { warning }),
    },
    hints: { status: ctx.database.hints.failing() ? "failing" : "ok" },
  };
}

/**
 * Null if the database does not answer. Single-flight, with the deadline of a call: a slow machine
 * that still answers calls must not make all instances unready.
 */
export const readJobHealth = (ctx: Context): Promise<readonly JobHealth[] | null> =>
  jobHealth(ctx)(ctx);

const jobHealth = perProcess("job health", () =>
  singleFlight((ctx: Context) =>
    ask(() => jobsHealth(ctx), ctx.settings.databaseTimeout * secondMs),
  ),
);

export async function readHealth(ctx: Context): Promise<Health> {
  const [jobs, budgets, callsLeft, messages, inbox, webhooks, queue] = await Promise.all([
    readJobHealth(ctx),
    ask(() => budgetUse(ctx)),
    ask(() => addressCallsLeft(ctx, ctx.settings.gameCallsAMinute)),
    ask(() => countUndeliveredMessages(ctx.database.keyPool)),
    ask(() => inboxBacklog(ctx)),
    ask(() => webhookBacklog(ctx)),
    ask(() => readNotifyQueue(ctx.database.keyPool)),
  ]);
  const countsOf = (job: Job) => jobs?.find(({ name }) => name === job.name)?.counts ?? null;
  const readiness = readinessOf(ctx, jobs !== null);
  return {
    ...readiness,
    hints: { ...readiness.hints, queue },
    game: {
      source: ctx.settings.gameApiUrl ? "upstream" : "simulated",
      ...ctx.game.upstream(),
      budgets,
      callsLeft,
    },
    chat: { source: ctx.settings.chatBot ? "upstream" : "recorded", messages },
    events: { subscribers: ctx.events.feed.size(), inbox },
    webhooks,
    backlog: backlogIn(countsOf(sweepExpired)),
    logs: logStatesIn(countsOf(keepPartitions)),
    jobs: jobs ?? [],
  };
}

/** Public: without the name of the late part. */
async function publicReadiness(ctx: Context): Promise<PublicReadiness> {
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

interface PublicReadiness extends ReadinessReport {
  readonly game: { readonly status: "ok" | "away" };
  readonly jobs: { readonly status: "ok" | "late" | "unknown" };
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
