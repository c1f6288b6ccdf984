import type { ServerResponse } from "node:http";
import { type FailureKind, ServiceUnavailable, TooManyRequests } from "#server/failures";
import { retryAfterHeader } from "#server/platform/retry-after";
import type { PageRefusal } from "./page-admission";

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
  end(response, status, { body, type: "application/json", headers: { "X-Request-Id": why.requestId, ...why.headers } });
}

const kinds = { 429: TooManyRequests, 503: ServiceUnavailable };

/** Refuses a page that cannot be had now: in a sentence, or in JSON where a script of the portal asked. */
export function refusePage(
  response: ServerResponse,
  { status, retryAfter, why }: PageRefusal,
  { pathname, requestId }: { pathname: string; requestId: string },
): void {
  const headers = retryAfterHeader(status, retryAfter);
  if (pathname.startsWith("/api/")) {
    refuseEarly(response, status, { kind: kinds[status], requestId, headers });
    return;
  }
  const usual = status === 429 ? "Your network address opened too many pages." : "Too many pages are opened at once.";
  const body = `${why ?? usual} Wait ${retryAfter} seconds, then load this page again.\n`;
  end(response, status, {
    body,
    type: "text/plain; charset=utf-8",
    headers: { "X-Request-Id": requestId, ...headers },
  });
}

function end(
  response: ServerResponse,
  status: number,
  { body, type, headers }: { body: string; type: string; headers: Readonly<Record<string, string>> },
): void {
  response.shouldKeepAlive = false;
  response.writeHead(status, {
    "Content-Type": type,
    "Content-Length": Buffer.byteLength(body),
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
    ...retryAfterHeader(status),
    ...headers,
  });
  response.end(response.req.method === "HEAD" ? undefined : body);
}
