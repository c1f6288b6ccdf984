import type { Log } from "./log";
import type { Metrics } from "./metrics/metrics";
import { requestTimer } from "./metrics/metrics";

/** A request that was answered, without what its caller wrote. */
export interface AnsweredRequest {
  readonly requestId: string;
  readonly method: string;
  /** The route's template, never the address as sent; "unmatched" where there was none. */
  readonly route: string;
  readonly status: number;
  readonly clientId: string | null;
  readonly micros: number;
}

/** Measures an answer and, where the setting says so, writes its line. */
export type ObserveRequest = (answered: AnsweredRequest) => void;

export function createRequestObserver(deps: { metrics: Metrics; log: Log; accessLog: boolean }): ObserveRequest {
  const { log, accessLog } = deps;
  const time = requestTimer(deps.metrics.requests);
  return (answered) => {
    const { requestId, method, route, status, clientId, micros } = answered;
    time(route, method, status, micros / 1_000_000);
    if (accessLog) log.info({ requestId, method, route, status, clientId, micros }, "request");
  };
}
