import type { Context } from "#server/context";
import {
  type Failure,
  InsufficientPermissions,
  InvalidAuthenticationInformation,
  NoAuthenticationInformation,
  UnknownElement,
} from "#server/failures";
import { writeExact } from "#server/platform/exact-json";
import type { LimitState } from "#server/platform/limiter/limiter";
import {
  entityTag,
  namesEntityTag,
  retryAfterHeader,
  strictTransport,
} from "#server/platform/response-headers";
import { secondMs } from "#server/platform/time";
import { type Endpoint, isReply, type ReplyHeaders, type StreamOpener } from "./endpoint";
import type { RequestTarget } from "./request-context";

export interface HttpResult {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
  readonly failureCode: number | null;
  readonly stream?: StreamOpener | undefined;
}

export interface FieldError {
  readonly field: string;
  readonly message: string;
}

export const badFields = (errors: readonly FieldError[]): Failure =>
  UnknownElement.because({
    message: `The request has ${errors.length === 1 ? "a value that is" : "values that are"} missing, malformed or unknown: ${errors.map((error) => error.field).join(", ")}.`,
    details: { errors },
  });

export function failureResult(failure: Failure): HttpResult {
  const { code, name, status } = failure.kind;
  const body = writeExact({ code, name, message: failure.message, details: failure.details });
  return { status, headers: headersOf(failure), body, failureCode: code };
}

function headersOf(failure: Failure): Record<string, string> {
  const headers: Record<string, string> = {
    ...retryAfterHeader(failure.kind.status, failure.retryAfter),
  };
  const challenge = challengeOf(failure);
  if (challenge) headers["WWW-Authenticate"] = challenge;
  return headers;
}

const realm = 'Bearer realm="adjutant"';

/** RFC 6750 section 3: no `error` without credentials. */
function challengeOf({ kind, details }: Failure): string | undefined {
  if (kind.code === InvalidAuthenticationInformation.code)
    return `${realm}, error="invalid_token", error_description="${kind.message}"`;
  if (kind.code === InsufficientPermissions.code) {
    const required = details?.required;
    const scope = Array.isArray(required) ? `, scope="${required.join(" ")}"` : "";
    return `${realm}, error="insufficient_scope"${scope}`;
  }
  return kind.status === NoAuthenticationInformation.status ? realm : undefined;
}

export interface SerializedResponse {
  readonly body: string | null;
  readonly etag: string | undefined;
  readonly link: string | undefined;
  readonly staleAt: number;
}

/** @throws for a record that does not fit the schema */
export function serializeResponse(
  endpoint: Endpoint,
  returned: unknown,
  told: { ctx: Context; address: RequestTarget },
): SerializedResponse {
  const { ctx, address } = told;
  const { record, notes } = isReply(returned) ? returned : { record: returned, notes: {} };
  const body = endpoint.returns ? writeExact(endpoint.returns.parse(record)) : null;
  return {
    body,
    etag: endpoint.etag && body !== null ? entityTag(body) : undefined,
    link: notes.next && nextPage(ctx.settings.baseUrl, address, notes.next),
    staleAt: staleAt(endpoint, notes, ctx.now()),
  };
}

/** RFC 9110 section 13.1.2. */
export function conditionalResult(
  said: SerializedResponse,
  caller: { ifNoneMatch: string | null; now: Date },
): HttpResult {
  const headers: Record<string, string> = {};
  const left = Math.floor((said.staleAt - caller.now.getTime()) / secondMs);
  if (left > 0) headers["Cache-Control"] = `private, max-age=${left}`;
  if (said.link) headers.Link = said.link;
  if (said.etag) {
    headers.ETag = said.etag;
    if (caller.ifNoneMatch !== null && namesEntityTag(caller.ifNoneMatch, said.etag))
      return { status: 304, headers, body: null, failureCode: null };
  }
  return { status: said.body === null ? 204 : 200, headers, body: said.body, failureCode: null };
}

function staleAt({ cache }: Endpoint, { freshUntil }: ReplyHeaders, now: Date): number {
  const byCache = cache
    ? "seconds" in cache
      ? now.getTime() + cache.seconds * secondMs
      : cache.until(now).getTime()
    : 0;
  if (!freshUntil) return byCache;
  return cache ? Math.min(byCache, freshUntil.getTime()) : freshUntil.getTime();
}

function nextPage(
  baseUrl: string,
  address: RequestTarget,
  next: Readonly<Record<string, string | number>>,
): string {
  const parameters = new URLSearchParams(address.search);
  for (const [name, value] of Object.entries(next)) parameters.set(name, String(value));
  return `<${baseUrl}${address.pathname}?${parameters}>; rel="next"`;
}

const exposed = [
  "X-RateLimit-Limit",
  "X-RateLimit-Remaining",
  "X-RateLimit-Reset",
  "WWW-Authenticate",
  "Link",
  "ETag",
  "Retry-After",
  "X-Request-Id",
  "Deprecation",
  "Sunset",
].join(", ");

/** Any origin is allowed: browsers never send bearer tokens by themselves. */
const constantHeaders = {
  "Content-Type": "application/json",
  "Cache-Control": "no-store",
  "X-Content-Type-Options": "nosniff",
  "Access-Control-Allow-Origin": "*",
  "Access-Control-Expose-Headers": exposed,
};
const securely = { "Strict-Transport-Security": strictTransport };

/** Not spread, because V8 makes a hidden class per spread object, which costs 3 µs and 2 KB. */
export const responseHeaders = (
  https: boolean,
  requestId: string,
  ...own: readonly (Readonly<Record<string, string>> | undefined)[]
): Record<string, string> =>
  Object.assign(
    {},
    constantHeaders,
    https ? securely : undefined,
    { "X-Request-Id": requestId },
    ...own,
  );

const headerNames = /^[\w!#$%&'*+.^`|~-]+(?:\s*,\s*[\w!#$%&'*+.^`|~-]+)*$/;
const usualHeaders = "Authorization, Content-Type, Idempotency-Key, If-None-Match, Last-Event-ID";

/** Cookies are not used, so all headers are allowed. */
export function preflightHeaders(
  { headers }: Request,
  allow: string,
): Readonly<Record<string, string>> {
  const asked = headers.get("access-control-request-headers") ?? "";
  return {
    Allow: allow,
    "Access-Control-Allow-Methods": allow,
    "Access-Control-Allow-Headers": headerNames.test(asked) ? asked : usualHeaders,
    "Access-Control-Max-Age": "600",
    Vary: "Access-Control-Request-Headers",
  };
}

export const streamHeaders = {
  "Content-Type": "text/event-stream",
  "Cache-Control": "no-cache, no-transform",
  "X-Accel-Buffering": "no",
  Vary: "Origin, Authorization, Accept",
};

/** A web-standard Response cannot carry a `StreamOpener`. */
export const withStream = (response: Response, stream: StreamOpener): Response =>
  Object.assign(response, { openStream: stream });

export const streamOf = (response: Response): StreamOpener | undefined =>
  (response as { openStream?: StreamOpener }).openStream;

export function rateHeaders(state: LimitState): Record<string, string> {
  return {
    "X-RateLimit-Limit": String(state.limit),
    "X-RateLimit-Remaining": String(state.remaining),
    "X-RateLimit-Reset": String(state.reset),
  };
}
