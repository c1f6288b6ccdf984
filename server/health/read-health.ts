import { countUndeliveredChatMessages, type Undelivered } from "#server/chat/deliver-message";
import type { Context } from "#server/context";
import { type InboxBacklog, inboxBacklog } from "#server/event-log/sequencer";
import type { UpstreamState } from "#server/game/breaker";
import { addressCallsLeft, type BudgetUse, budgetUse } from "#server/game/budget";
import type { Job } from "#server/jobs/job";
import { type JobHealth, jobsHealth } from "#server/jobs/jobs-health";
import { version } from "#server/platform/env";
import { secondMs } from "#server/platform/time";
import { within } from "#server/platform/within";
import { keepPartitions, type LogState, logStatesIn } from "#server/sweeper/log-partitions";
import { type Backlog, backlogIn, sweepExpired } from "#server/sweeper/run-sweeps";
import { type WebhookBacklog, webhookBacklog } from "#server/webhooks/backlog";
import { type JsonAnswer, jsonAnswer } from "../platform/json-answer";
import { readNotifyQueue } from "./store";

/** The public answer: no names, counts or times. */
export interface ReadinessReport {
  /** "draining": shutting down; "unavailable": the database does not answer. */
  readonly status: "ready" | "draining" | "unavailable";
  readonly version: string;
  /** This process among those on the database, as `npm run admin -- instances` lists them. */
  readonly instance: string;
  readonly database: {
    readonly kind: "postgres" | "pglite";
    readonly status: "ok" | "unavailable";
  };
  /** `shared` is false where each process counts for itself: by setting, or while Redis is gone. */
  readonly limiter: {
    readonly kind: string;
    readonly shared: boolean;
    readonly status: "ok" | "fallback";
    readonly warning?: string;
  };
  /** "failing": the database refuses NOTIFY. What is committed holds; other processes find out within a second by themselves. */
  readonly hints: { readonly status: "ok" | "failing" };
}

/** The state of this process and its parts, for operators. What cannot be counted now is null. */
export interface Health extends ReadinessReport {
  /** The game as this process last met it, and what all processes together asked of it this minute. */
  readonly game: {
    readonly source: "simulated" | "upstream";
    readonly budgets: BudgetUse | null;
    readonly callsLeft: number | null;
  } & UpstreamState;
  /** `queue`: the part of the database's NOTIFY queue that is in use, from 0 to 1. */
  readonly hints: ReadinessReport["hints"] & { readonly queue: number | null };
  /** Messages that are not in the chat yet, and those it refused for good. */
  readonly chat: {
    readonly source: "recorded" | "upstream";
    readonly messages: Undelivered | null;
  };
  readonly events: { readonly subscribers: number; readonly inbox: InboxBacklog | null };
  readonly webhooks: WebhookBacklog | null;
  /** Rows that the sweeper has not come to yet; null before its first run. */
  readonly backlog: Backlog | null;
  /** The partitions of the logs, as their job found them last. */
  readonly logs: readonly LogState[];
  readonly jobs: readonly JobHealth[];
}

/** For the details; readiness does not depend on them. */
const timeoutMs = 2_000;

/** All go over the key pool: health is answered even if the other pools are full. */
const ask = <Part>(read: () => Promise<Part>, milliseconds = timeoutMs): Promise<Part | null> =>
  within(milliseconds, read).catch(() => null);

/** @param databaseAnswers whether it just did */
export function readinessOf(ctx: Context, databaseAnswers: boolean): ReadinessReport {
  const limiter = ctx.limiter.status();
  const warning = ctx.presence.warning();
  return {
    status: ctx.readiness.draining() ? "draining" : databaseAnswers ? "ready" : "unavailable",
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
 * Job health, single-flight; null where the database does not answer. The database
 * has as long as for a call: where a slow machine still answers calls, no load balancer should find all of its instances unready
 * at once.
 */
export const readJobHealth = (ctx: Context): Promise<readonly JobHealth[] | null> =>
  ctx.readiness.look(() => ask(() => jobsHealth(ctx), ctx.settings.databaseTimeout * secondMs));

/** Reads the state of all parts. */
export async function readHealth(ctx: Context): Promise<Health> {
  const [jobs, budgets, callsLeft, messages, inbox, webhooks, queue] = await Promise.all([
    readJobHealth(ctx),
    ask(() => budgetUse(ctx)),
    ask(() => addressCallsLeft(ctx, ctx.settings.gameCallsAMinute)),
    ask(() => countUndeliveredChatMessages(ctx)),
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
    events: { subscribers: ctx.eventFeed.size(), inbox },
    webhooks,
    backlog: backlogIn(countsOf(sweepExpired)),
    logs: logStatesIn(countsOf(keepPartitions)),
    jobs: jobs ?? [],
  };
}

/** Whether something answers or is late, without details: the answer is public. */
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

/** `GET /health/live` says that the process runs, `GET /health/ready` that it can do its work and wants more of it. */
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
