import type { Histogram } from "prom-client";
import type { Log } from "./log";
import type { Metrics } from "./metrics";

/** Without caller-supplied text. */
export interface AnsweredRequest {
  readonly requestId: string;
  readonly method: string;
  /** Route template or "unmatched", never the actual address. */
  readonly route: string;
  readonly status: number;
  readonly clientId: string | null;
  readonly micros: number;
}

export type ObserveRequest = (answered: AnsweredRequest) => void;

export function createRequestObserver(deps: {
  metrics: Metrics;
  log: Log;
  accessLog: boolean;
}): ObserveRequest {
  const { log, accessLog } = deps;
  const time = requestTimer(deps.metrics.requests);
  return (answered) => {
    const { requestId, method, route, status, clientId, micros } = answered;
    time(route, method, status, micros / 1_000_000);
    if (accessLog) log.info({ requestId, method, route, status, clientId, micros }, "request");
  };
}

/** Other methods are arbitrary text. */
const methods: ReadonlySet<string> = new Set([
  "GET",
  "HEAD",
  "POST",
  "PUT",
  "PATCH",
  "DELETE",
  "OPTIONS",
]);

/** Series are looked up by route, method and status, so that nothing is allocated. */
function requestTimer(requests: Metrics["requests"]) {
  const routes = new Map<string, Map<string, Map<number, Histogram.Internal<string>>>>();
  return (route: string, method: string, status: number, seconds: number): void => {
    const known = methods.has(method) ? method : "other";
    const timing =
      routes.get(route)?.get(known)?.get(status) ??
      addTiming(routes, { route, method: known, status }, requests);
    timing.observe(seconds);
  };
}

function addTiming(
  routes: Map<string, Map<string, Map<number, Histogram.Internal<string>>>>,
  { route, method, status }: { route: string; method: string; status: number },
  requests: Metrics["requests"],
): Histogram.Internal<string> {
  const ofRoute = routes.get(route) ?? new Map<string, Map<number, Histogram.Internal<string>>>();
  const ofMethod = ofRoute.get(method) ?? new Map<number, Histogram.Internal<string>>();
  const timing = requests.labels(method, route, String(status));
  routes.set(route, ofRoute.set(method, ofMethod.set(status, timing)));
  return timing;
}
