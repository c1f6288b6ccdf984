import type { Histogram } from "prom-client";
import { type Context, perProcess } from "#server/context";
import type { RequestLogLine } from "./store";

/** Without caller-supplied text. */
type AnsweredRequest = Pick<
  RequestLogLine,
  "requestId" | "method" | "route" | "status" | "clientId" | "micros"
>;

/** Other methods are arbitrary text. */
const methods: ReadonlySet<string> = new Set([
  ...["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"],
]);

/** Bound once per method, route and status, because a look-up by labels costs a microsecond. */
const timings = perProcess(
  "timings of requests",
  () => new Map<string, Histogram.Internal<string>>(),
);

/** @param started by `performance.now()` */
export const microsSince = (started: number): number =>
  Math.round((performance.now() - started) * 1_000);

/** Call it once per answered request, on every transport. */
export function observeRequest(ctx: Context, answered: AnsweredRequest): void {
  const { requestId, method, route, status, clientId, micros } = answered;
  const known = methods.has(method) ? method : "other";
  const series = `${known} ${route} ${status}`;
  const bound = timings(ctx);
  const timing = bound.get(series) ?? ctx.metrics.requests.labels(known, route, String(status));
  bound.set(series, timing);
  timing.observe(micros / 1_000_000);
  if (ctx.settings.accessLog)
    ctx.log.info({ requestId, method, route, status, clientId, micros }, "request");
}
