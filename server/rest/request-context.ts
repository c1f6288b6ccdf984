import type { TokenHolder } from "#server/actor";
import type { Context } from "#server/context";
import type { LimitState } from "#server/platform/limiter/limiter";
import type { Endpoint, Method } from "./endpoint";
import type { Match } from "./router";

/** What a mount knows of the other end of the connection beyond the request itself. */
export interface Peer {
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
export interface RequestContext {
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
export function createRequestContext(
  ctx: Context,
  sent: { request: Request; peer: Peer; find: (pathname: string) => Match | undefined },
): RequestContext {
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
