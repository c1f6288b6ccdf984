import { STATUS_CODES } from "node:http";
import { FastResponse } from "srvx";
import { countUndelivered, type Undelivered } from "#server/chat/deliver-message";
import type { Context } from "#server/context";
import type { UpstreamState } from "#server/game/breaker";
import { type BudgetUse, budgetUse } from "#server/game/budget";
import { type JobHealth, jobsHealth } from "#server/jobs/jobs-health";
import { secondMs } from "#server/platform/durations";
import { version } from "#server/platform/env";
import { strictTransport } from "#server/platform/page-headers";
import { retryAfterHeader } from "#server/platform/retry-after";
import { within } from "#server/platform/within";
import { sweepExpired } from "#server/sweeper/jobs/sweep-expired";
import { type Backlog, backlogIn } from "#server/sweeper/run-sweeps";

export interface ReadinessReport {
  /** "draining": shutting down; "unavailable": the database does not answer. */
  readonly status: "ready" | "draining" | "unavailable";
  readonly version: string;
  /** This process among those on the database, as `npm run admin -- instances` lists them. */
  readonly instance: string;
  readonly database: { readonly kind: "postgres" | "pglite"; readonly status: "ok" | "unavailable" };
  /** `shared` is false where each process counts for itself: by setting, or while Redis is gone. */
  readonly limiter: {
    readonly kind: string;
    readonly shared: boolean;
    readonly status: "ok" | "fallback";
    readonly warning?: string;
  };
  /** The game as this process last met it, and what all processes together asked of it this minute. */
  readonly game: {
    readonly source: "simulated" | "upstream";
    readonly budgets: BudgetUse | null;
  } & UpstreamState;
  /** Messages that are not in the chat yet, and those it refused for good; null where nobody can count them now. */
  readonly chat: { readonly source: "recorded" | "upstream"; readonly messages: Undelivered | null };
  /** What the sweeper has not come to yet; null before its first run. */
  readonly backlog: Backlog | null;
  readonly jobs: readonly JobHealth[];
}

/** For what is told besides; without it the process is as ready. */
const timeoutMs = 2_000;

/** Looks at every part that this process needs. Jobs that are late and a limiter without its Redis are told, but do not make it unready. */
export async function readReadiness(ctx: Context): Promise<ReadinessReport> {
  const limiter = ctx.limiter.status();
  const { jobs, budgets, messages } = await ctx.readiness.look(() => askDatabase(ctx));
  const swept = jobs?.find(({ name }) => name === sweepExpired.name);
  const warning = ctx.presence.warning();
  const draining = ctx.readiness.draining();
  return {
    status: draining ? "draining" : jobs ? "ready" : "unavailable",
    version,
    instance: ctx.presence.id,
    database: { kind: ctx.database.kind, status: jobs ? "ok" : "unavailable" },
    limiter: {
      ...limiter,
      status: limiter.kind === "process" || limiter.shared ? "ok" : "fallback",
      ...(warning && { warning }),
    },
    game: { source: ctx.settings.gameApiUrl ? "upstream" : "simulated", ...ctx.game.upstream(), budgets },
    chat: { source: ctx.settings.chatBot ? "upstream" : "recorded", messages },
    backlog: backlogIn(swept?.counts ?? null),
    jobs: jobs ?? [],
  };
}

/**
 * Over the key pool: however many connections are in use, readiness is told. The database has as long as for a call: where a
 * slow machine still answers calls, no load balancer should find all of its instances unready at once.
 */
async function askDatabase(ctx: Context) {
  const [jobs, budgets, messages] = await Promise.all([
    within(ctx.settings.databaseTimeout * secondMs, () => jobsHealth(ctx)).catch(() => undefined),
    within(timeoutMs, () => budgetUse(ctx)).catch(() => null),
    within(timeoutMs, () => countUndelivered(ctx)).catch(() => null),
  ]);
  return { jobs, budgets, messages };
}

/** `GET /health/live` says that the process runs, `GET /health/ready` that it can do its work and wants more of it. */
export async function answerHealth(ctx: Context, request: Request, probe: string): Promise<Response> {
  if (probe !== "live" && probe !== "ready") return say(ctx, request, { status: 404, record: { status: "unknown" } });
  if (request.method !== "GET" && request.method !== "HEAD")
    return say(ctx, request, {
      status: 405,
      record: { status: "method not allowed" },
      headers: { Allow: "GET, HEAD" },
    });
  if (probe === "live") return say(ctx, request, { status: 200, record: { status: "live", version } });
  const report = await readReadiness(ctx);
  return say(ctx, request, { status: report.status === "ready" ? 200 : 503, record: report });
}

interface Said {
  readonly status: number;
  readonly record: object;
  readonly headers?: Readonly<Record<string, string>>;
}

function say(ctx: Context, request: Request, { status, record, headers }: Said): Response {
  const body = JSON.stringify(record);
  return new FastResponse(request.method === "HEAD" ? null : body, {
    status,
    statusText: STATUS_CODES[status],
    headers: {
      "Content-Type": "application/json",
      "Content-Length": String(Buffer.byteLength(body)),
      "Cache-Control": "no-store",
      "X-Content-Type-Options": "nosniff",
      "X-Request-Id": ctx.ids.request(),
      ...(ctx.settings.https && { "Strict-Transport-Security": strictTransport }),
      ...retryAfterHeader(status),
      ...headers,
    },
  });
}
