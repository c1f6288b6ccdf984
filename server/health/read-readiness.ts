import { countUndelivered, type Undelivered } from "#server/chat/count-undelivered";
import type { Context } from "#server/context";
import type { UpstreamState } from "#server/game/breaker";
import { type BudgetUse, budgetUse } from "#server/game/budget";
import { type JobHealth, jobsHealth } from "#server/jobs/jobs-health";
import { within } from "#server/platform/within";
import { type Backlog, backlogIn } from "#server/sweeper/backlog";
import { sweepExpired } from "#server/sweeper/jobs/sweep-expired";
import { version } from "#server/version";

export interface ReadinessReport {
  /** "draining": shutting down; "unavailable": the database does not answer. */
  readonly status: "ready" | "draining" | "unavailable";
  readonly version: string;
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

const patience = 2_000;

/** Looks at every part that this process needs. Jobs that are late and a limiter without its Redis are told, but do not make it unready. */
export async function readReadiness(ctx: Context): Promise<ReadinessReport> {
  const limiter = ctx.limiter.status();
  const [jobs, budgets, messages] = await Promise.all([
    within(patience, jobsHealth(ctx)).catch(() => undefined),
    within(patience, budgetUse(ctx)).catch(() => null),
    within(patience, countUndelivered(ctx)).catch(() => null),
  ]);
  const swept = jobs?.find(({ name }) => name === sweepExpired.name);
  const warning = ctx.presence.warning();
  const draining = ctx.readiness.draining();
  return {
    status: draining ? "draining" : jobs ? "ready" : "unavailable",
    version,
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
