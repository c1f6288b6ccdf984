import type { Context } from "#server/context";
import { version } from "#server/platform/env";
import { type JsonAnswer, jsonAnswer } from "#server/platform/json-answer";
import { type ReadinessReport, readinessOf, readJobHealth } from "./read-health";

/** Whether something answers or is late, without saying what: this is told to everybody. */
async function publicReadiness(ctx: Context): Promise<PublicReadiness> {
  const jobs = await readJobHealth(ctx);
  return {
    ...readinessOf(ctx, jobs !== null),
    game: { status: ctx.game.upstream().breaker === "closed" ? "ok" : "away" },
    jobs: { status: jobs === null ? "unknown" : jobs.some(({ status }) => status === "late") ? "late" : "ok" },
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
