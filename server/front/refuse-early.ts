import type { ServerResponse } from "node:http";
import type { FailureKind } from "#server/failures";
import { retryAfterHeader } from "#server/platform/retry-after";

/**
 * Refuses a request that never reaches a handler: what is wrong with it is the HTTP itself. The rest of it is not wanted,
 * so the connection ends with the answer.
 */
export function refuseEarly(
  response: ServerResponse,
  status: number,
  why: { kind: FailureKind; message?: string; requestId: string; headers?: Readonly<Record<string, string>> },
): void {
  const { code, name, message } = why.kind;
  const body = JSON.stringify({ code, name, message: why.message ?? message });
  response.shouldKeepAlive = false;
  response.writeHead(status, {
    "Content-Type": "application/json",
    "Content-Length": Buffer.byteLength(body),
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
    "X-Request-Id": why.requestId,
    ...retryAfterHeader(status),
    ...why.headers,
  });
  response.end(response.req.method === "HEAD" ? undefined : body);
}
