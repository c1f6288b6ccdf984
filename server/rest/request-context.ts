import type { TokenHolder } from "#server/actor";
import type { Context } from "#server/context";
import type { LimitState } from "#server/platform/limiter/limiter";
import type { Endpoint, Method } from "./endpoint";
import type { Match } from "./router";

export interface RequestTarget {
  readonly pathname: string;
  readonly search: string;
}

export interface RequestOrigin {
  readonly target?: RequestTarget;
  /** Null if unknown. All such callers share a limit. */
  readonly address: string | null;
  readonly body?: Buffer;
  readonly oversized?: boolean;
  readonly insecure?: boolean;
  readonly requestId?: string | undefined;
  readonly streams?: boolean;
}

/** Checks store their results here. */
export interface RequestContext extends RequestTarget {
  readonly ctx: Context;
  readonly request: Request;
  readonly peer: RequestOrigin;
  readonly requestId: string;
  readonly at: Date;
  readonly match: Match | undefined;
  readonly endpoint: Endpoint | undefined;
  window: LimitState | undefined;
  actor: TokenHolder | undefined;
  tokenHashes: readonly string[] | undefined;
  bodyText: string;
}

export function createRequestContext(
  ctx: Context,
  sent: { request: Request; peer: RequestOrigin; find: (pathname: string) => Match | undefined },
): RequestContext {
  const { request, peer } = sent;
  const { pathname, search } = peer.target ?? targetOf(request.url);
  const match = sent.find(pathname);
  const method = request.method === "HEAD" ? "GET" : request.method;
  return {
    ctx,
    request,
    peer,
    requestId: peer.requestId ?? ctx.ids.request(),
    at: ctx.now(),
    pathname,
    search,
    match,
    endpoint: match?.route.methods.get(method as Method),
    window: undefined,
    actor: undefined,
    tokenHashes: undefined,
    bodyText: "",
  };
}

/** Drops the host, because our URLs come from BASE_URL. */
export function targetOf(url: string): RequestTarget {
  const start = url.startsWith("/") ? 0 : url.indexOf("/", url.indexOf("//") + 2);
  const question = url.indexOf("?", start);
  if (question === -1) return { pathname: url.slice(start), search: "" };
  return { pathname: url.slice(start, question), search: url.slice(question + 1) };
}

/** The most specific range decides (RFC 9110 section 12.5.1). */
const jsonRanges: Readonly<Record<string, number>> = {
  "application/json": 3,
  "application/*": 2,
  "*/*": 1,
};
const streamRanges: Readonly<Record<string, number>> = { "text/event-stream": 3 };

function qualityOf(
  accept: string,
  ranges: Readonly<Record<string, number>>,
): { rank: number; quality: number } {
  const best = { rank: 0, quality: 0 };
  for (const range of accept.split(",")) {
    const [type = "", ...parameters] = range.split(";").map((part) => part.trim().toLowerCase());
    const rank = ranges[type] ?? 0;
    if (rank <= best.rank) continue;
    const quality = parameters.find((parameter) => parameter.startsWith("q="));
    Object.assign(best, {
      rank,
      quality: quality === undefined ? 1 : Number(quality.slice(2)) || 0,
    });
  }
  return best;
}

export function acceptsJson(accept: string | null): boolean {
  if (accept === null || accept === "*/*" || accept === "application/json" || accept.trim() === "")
    return true;
  return qualityOf(accept, jsonRanges).quality > 0;
}

/** If both types are named with equal weight, JSON is sent. */
export function prefersStream(accept: string | null): boolean {
  if (!accept?.toLowerCase().includes("event-stream")) return false;
  const [stream, json] = [qualityOf(accept, streamRanges), qualityOf(accept, jsonRanges)];
  return (
    stream.quality > json.quality ||
    (stream.quality > 0 && stream.quality === json.quality && json.rank < 3)
  );
}
