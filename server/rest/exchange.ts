import type { TokenHolder } from "#server/actor";
import type { Context } from "#server/context";
import type { LimitState } from "#server/platform/limiter/limiter";
import type { Endpoint, Method } from "./endpoint";
import type { Peer } from "./peer";
import type { Match } from "./router";

/** One call while it is being answered. What the checks learn is written here, for headers and log. */
export interface Exchange {
  readonly ctx: Context;
  readonly request: Request;
  readonly peer: Peer;
  readonly requestId: string;
  readonly at: Date;
  readonly pathname: string;
  /** The query string without its question mark. */
  readonly search: string;
  readonly match: Match | undefined;
  /** Undefined where the path or the method is wrong. */
  readonly endpoint: Endpoint | undefined;
  /** The window that binds first, as it stands after this call. */
  window: LimitState | undefined;
  actor: TokenHolder | undefined;
}

/** Takes a request apart. The host in it is never looked at: what we build addresses from is BASE_URL. */
export function beginExchange(
  ctx: Context,
  sent: { request: Request; peer: Peer; find: (pathname: string) => Match | undefined },
): Exchange {
  const { request, peer } = sent;
  const { url } = request;
  const start = url.indexOf("/", url.indexOf("//") + 2);
  const question = url.indexOf("?", start);
  const pathname = question === -1 ? url.slice(start) : url.slice(start, question);
  const match = sent.find(pathname);
  const method = request.method === "HEAD" ? "GET" : request.method;
  return {
    ctx,
    request,
    peer,
    requestId: ctx.ids.request(),
    at: ctx.now(),
    pathname,
    search: question === -1 ? "" : url.slice(question + 1),
    match,
    endpoint: match?.route.methods.get(method as Method),
    window: undefined,
    actor: undefined,
  };
}
