import type { TokenHolder } from "#server/actor";
import type { Context } from "#server/context";
import {
  type Failure,
  InvalidAuthenticationInformation,
  InvalidAuthenticationType,
  NoAuthenticationInformation,
} from "#server/failures";
import type { LimitState } from "#server/platform/limiter/limiter";
import type { Endpoint, Method } from "./endpoint";
import type { Match } from "./router";

/** How well a media range names `application/json`; the most specific range decides (RFC 9110 section 12.5.1). */
const specificity: Readonly<Record<string, number>> = { "application/json": 3, "application/*": 2, "*/*": 1 };

/** Whether an `Accept` header lets us answer in JSON. An absent or empty one accepts everything. */
export function acceptsJson(accept: string | null): boolean {
  if (accept === null || accept === "*/*" || accept === "application/json" || accept.trim() === "") return true;
  let best = 0;
  let accepted = false;
  for (const range of accept.split(",")) {
    const [type = "", ...parameters] = range.split(";").map((part) => part.trim().toLowerCase());
    const rank = specificity[type] ?? 0;
    if (rank <= best) continue;
    best = rank;
    const quality = parameters.find((parameter) => parameter.startsWith("q="));
    accepted = quality === undefined || Number(quality.slice(2)) > 0;
  }
  return accepted;
}

/** RFC 6750 section 2.1, and nothing around it. The scheme is case-insensitive (RFC 9110 section 11.1). */
const credentials = /^bearer ([A-Za-z0-9._~+/-]+=*)$/i;

/** Reads the token of an Authorization header. Tokens in query, body or cookies are never looked at. */
export function readBearer(header: string | null): { readonly token: string } | { readonly failure: Failure } {
  if (header === null || header.trim() === "") return { failure: NoAuthenticationInformation.because() };
  const token = credentials.exec(header)?.[1];
  if (token) return { token };
  const [scheme, rest] = header.trim().split(" ", 2);
  if (scheme?.toLowerCase() !== "bearer") return { failure: InvalidAuthenticationType.because() };
  return { failure: (rest === undefined ? NoAuthenticationInformation : InvalidAuthenticationInformation).because() };
}

/** The parts of a request's target, as they were sent. */
export interface Target {
  readonly pathname: string;
  /** The query string without its question mark. */
  readonly search: string;
}

/** Takes an address apart. The host in it is never looked at: what we build addresses from is BASE_URL. */
export function targetOf(url: string): Target {
  const start = url.startsWith("/") ? 0 : url.indexOf("/", url.indexOf("//") + 2);
  const question = url.indexOf("?", start);
  if (question === -1) return { pathname: url.slice(start), search: "" };
  return { pathname: url.slice(start, question), search: url.slice(question + 1) };
}

/** What a mount knows of a call beyond the request itself. */
export interface Peer {
  /** The request's target, where it was taken apart already. */
  readonly target?: Target;
  /** The socket's address, or what a trusted proxy said; null where the mount cannot know it (one bucket for all). */
  readonly address: string | null;
  /** The body of a GET, which a web-standard Request cannot carry. */
  readonly body?: Buffer;
  /** The mount refused to read the body of a GET because it was too large. */
  readonly oversized?: boolean;
  /** A trusted proxy said that the caller came over plain http although the service is https. */
  readonly insecure?: boolean;
}

/** One call while it is being answered. What the checks learn is written here, for headers and log. */
export interface RequestContext extends Target {
  readonly ctx: Context;
  readonly request: Request;
  readonly peer: Peer;
  readonly requestId: string;
  readonly at: Date;
  readonly match: Match | undefined;
  /** Undefined where the path or the method is wrong. */
  readonly endpoint: Endpoint | undefined;
  /** The window that binds first, as it stands after this call. */
  window: LimitState | undefined;
  actor: TokenHolder | undefined;
}

/** Begins to answer a call. */
export function createRequestContext(
  ctx: Context,
  sent: { request: Request; peer: Peer; find: (pathname: string) => Match | undefined },
): RequestContext {
  const { request, peer } = sent;
  const { pathname, search } = peer.target ?? targetOf(request.url);
  const match = sent.find(pathname);
  const method = request.method === "HEAD" ? "GET" : request.method;
  return {
    ctx,
    request,
    peer,
    requestId: ctx.ids.request(),
    at: ctx.now(),
    pathname,
    search,
    match,
    endpoint: match?.route.methods.get(method as Method),
    window: undefined,
    actor: undefined,
  };
}
