import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import type { Context } from "#server/context";
import {
  EndpointNotFound,
  type FailureKind,
  GeneralError,
  InvalidMethod,
  PayloadTooLarge,
  ServiceUnavailable,
  TooManyRequests,
} from "#server/failures";
import { isMachinePath } from "#server/machine-path";
import { retryAfterHeader, strictTransport } from "#server/platform/response-headers";
import { type RequestTarget, targetOf } from "#server/rest/request-context";
import type { PageRefusal } from "./page-admission";

const largestPageBody = 256 * 1_024;
const pageMethods = ["GET", "HEAD", "POST"];
const routeMethods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];

interface EarlyRefusal {
  readonly kind: FailureKind;
  readonly status?: number;
  readonly message?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Accepts the origin form only (RFC 9112 section 3.2). */
export function requestTargetOf({ url = "" }: IncomingMessage): RequestTarget | undefined {
  return url.startsWith("/") ? targetOf(url) : undefined;
}

export const pathnameOf = (request: IncomingMessage): string | undefined =>
  requestTargetOf(request)?.pathname;

const malformed = (message: string): EarlyRefusal => ({ kind: GeneralError, message });

export const malformedPathRefusal = malformed("The request's target must be a path.");

/** RFC 9110 sections 7.2 and 10.1.1. Node's own refusals have no body. */
export function headerRefusalOf({ httpVersion, headers }: IncomingMessage) {
  const { host, expect = "100-continue" } = headers;
  if (host === undefined && httpVersion === "1.1") return malformed("The header Host is missing.");
  return /^100-continue$/i.test(expect)
    ? undefined
    : { ...malformed("The only known expectation is 100-continue."), status: 417 };
}

export function pageRequestRefusalOf(
  { method = "", headers }: IncomingMessage,
  pathname: string,
): EarlyRefusal | undefined {
  if (!pageMethods.includes(method)) return wrongMethod(pageMethods);
  // Next would normalise the path and bypass the front's checks.
  if (!isPlain(pathname)) return { kind: EndpointNotFound };
  // Next would fail with 500.
  if (!isDecodable(pathname))
    return { kind: GeneralError, message: "The path is not well-formed." };
  // Next would truncate the body.
  if (headers["transfer-encoding"] !== undefined)
    return {
      status: 411,
      kind: GeneralError,
      message: "The body's length must be given in Content-Length.",
    };
  if (Number(headers["content-length"] ?? 0) > largestPageBody) return { kind: PayloadTooLarge };
  return undefined;
}

/** Next would answer with 500, or redirect to the request's host. @returns true if refused */
export function refuseUnreadable(
  request: IncomingMessage,
  response: ServerResponse,
  requestId: string,
): boolean {
  const pathname = pathnameOf(request);
  const refusal = pathname === undefined ? malformedPathRefusal : refusalOf(request, pathname);
  if (refusal) refuseEarly(response, { ...refusal, requestId });
  return refusal !== undefined;
}

function refusalOf(request: IncomingMessage, pathname: string): EarlyRefusal | undefined {
  if (!isMachinePath(pathname)) return pageRequestRefusalOf(request, pathname);
  if (!routeMethods.includes(request.method ?? "")) return wrongMethod(routeMethods);
  return isPlain(pathname) && isDecodable(pathname) ? undefined : { kind: EndpointNotFound };
}

const wrongMethod = (allowed: readonly string[]): EarlyRefusal => ({
  kind: InvalidMethod,
  headers: { Allow: allowed.join(", ") },
});

/** Parsers read empty segments, "." or ".." (also encoded) and backslashes differently. */
const isPlain = (pathname: string): boolean =>
  !/\/(?:\/|(?:\.|%2e){1,2}(?:\/|$))|\\/i.test(pathname);

function isDecodable(pathname: string): boolean {
  try {
    decodeURIComponent(pathname);
    return true;
  } catch {
    return false;
  }
}

/** Ends the connection, because the rest of the request is unwanted. */
export function refuseEarly(
  response: ServerResponse,
  { kind, requestId, ...own }: EarlyRefusal & { readonly requestId: string },
): void {
  const { code, name } = kind;
  const { status, message, headers } = { ...kind, ...own };
  end(response, status, {
    body: JSON.stringify({ code, name, message }),
    type: "application/json",
    headers: { "X-Request-Id": requestId, ...headers },
  });
}

const kinds = { 429: TooManyRequests, 503: ServiceUnavailable };

export function refusePage(
  response: ServerResponse,
  { status, retryAfter, why }: PageRefusal,
  { pathname, requestId }: { pathname: string; requestId: string },
): void {
  const headers = retryAfterHeader(status, retryAfter);
  if (pathname.startsWith("/api/")) {
    refuseEarly(response, { kind: kinds[status], requestId, headers });
    return;
  }
  const usual =
    status === 429
      ? "Your network address opened too many pages."
      : "Too many pages are opened at once.";
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
  {
    body,
    type,
    headers,
  }: { body: string; type: string; headers: Readonly<Record<string, string>> },
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

/** Keyed by error code of Node's parser. */
const statusByCode: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

/** Refuses CONNECT too. With https these answers have HSTS. */
export function handleClientErrors(
  server: Server,
  { settings: { https }, ids }: Pick<Context, "settings" | "ids">,
): Server {
  const more = () => [
    `X-Request-Id: ${ids.request()}`,
    ...(https ? [`Strict-Transport-Security: ${strictTransport}`] : []),
  ];
  server.on("clientError", (error: NodeJS.ErrnoException, socket) => {
    if (error.code === "ECONNRESET" || !socket.writable) return void socket.destroy();
    const status = statusByCode[error.code ?? ""] ?? 400;
    endMalformed(socket, {
      status,
      message: "The request is not well-formed HTTP, too large, or too slow.",
      more: more(),
    });
  });
  server.on("connect", (_request, socket) =>
    endMalformed(socket, { status: 405, message: "CONNECT is not supported.", more: more() }),
  );
  return server;
}

function endMalformed(
  socket: Duplex,
  said: { status: number; message: string; more: readonly string[] },
): void {
  const { status, message, more } = said;
  const body = JSON.stringify({ code: 0, name: "GeneralError", message });
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    "Content-Type: application/json",
    `Content-Length: ${Buffer.byteLength(body)}`,
    "Cache-Control: no-store",
    "X-Content-Type-Options: nosniff",
    "Connection: close",
    ...more,
  ];
  socket.end(`${head.join("\r\n")}\r\n\r\n${body}`);
  socket.once("finish", () => socket.destroy());
}
