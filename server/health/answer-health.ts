import { STATUS_CODES } from "node:http";
import { FastResponse } from "srvx";
import type { Context } from "#server/context";
import { retryAfterHeader } from "#server/platform/retry-after";
import { strictTransport } from "#server/platform/strict-transport";
import { version } from "#server/version";
import { readReadiness } from "./read-readiness";

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
