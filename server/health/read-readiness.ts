import type { Context } from "#server/context";
import { type JobHealth, jobsHealth } from "#server/jobs/jobs-health";
import { within } from "#server/platform/within";
import { version } from "#server/version";

export interface ReadinessReport {
  /** "draining": shutting down; "unavailable": the database does not answer. */
  readonly status: "ready" | "draining" | "unavailable";
  readonly version: string;
  readonly database: { readonly kind: "postgres" | "pglite"; readonly status: "ok" | "unavailable" };
  /** `shared` is false where each process counts for itself: by setting, or while Redis is gone. */
  readonly limiter: { readonly kind: string; readonly shared: boolean; readonly status: "ok" | "fallback" };
  readonly game: { readonly source: "simulated" | "upstream" };
  readonly jobs: readonly JobHealth[];
}

const patience = 2_000;

/** Looks at every part that this process needs. Jobs that are late and a limiter without its Redis are told, but do not make it unready. */
export async function readReadiness(ctx: Context): Promise<ReadinessReport> {
  const limiter = ctx.limiter.status();
  const jobs = await within(patience, jobsHealth(ctx)).catch(() => undefined);
  const draining = ctx.readiness.draining();
  return {
    status: draining ? "draining" : jobs ? "ready" : "unavailable",
    version,
    database: { kind: ctx.database.kind, status: jobs ? "ok" : "unavailable" },
    limiter: { ...limiter, status: limiter.kind === "process" || limiter.shared ? "ok" : "fallback" },
    game: { source: ctx.settings.gameApiUrl ? "upstream" : "simulated" },
    jobs: jobs ?? [],
  };
}
