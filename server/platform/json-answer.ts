import { STATUS_CODES } from "node:http";
import { FastResponse } from "srvx";
import type { Settings } from "./env";
import type { Ids } from "./ids";
import { retryAfterHeader, strictTransport } from "./response-headers";

export interface JsonAnswer {
  readonly status: number;
  readonly record: object;
  readonly requestId: string;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

export function jsonAnswer(
  request: Request,
  { https }: Pick<Settings, "https">,
  answer: JsonAnswer,
): Response {
  const { status, record, requestId, headers } = answer;
  const body = JSON.stringify(record);
  return new FastResponse(request.method === "HEAD" ? null : body, {
    status,
    statusText: STATUS_CODES[status],
    headers: {
      "Content-Type": "application/json",
      "Content-Length": String(Buffer.byteLength(body)),
      "Cache-Control": "no-store",
      "X-Content-Type-Options": "nosniff",
      "X-Request-Id": requestId,
      ...(https && { "Strict-Transport-Security": strictTransport }),
      ...retryAfterHeader(status),
      ...headers,
    },
  });
}

export function createJsonResponder(
  { settings, ids }: { settings: Settings; ids: Ids },
  request: Request,
  { requestId = ids.request() }: { requestId?: string | undefined },
) {
  const say = (status: number, record: object, headers?: JsonAnswer["headers"]) =>
    jsonAnswer(request, settings, { status, record, requestId, headers });
  return { requestId, say };
}
