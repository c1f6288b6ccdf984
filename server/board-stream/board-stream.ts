import { FastResponse } from "srvx";
import type { PortalUser } from "#server/actor";
import { readCookie, sessionCookieName } from "#server/auth/cookies";
import { isCrossSite } from "#server/auth/csrf";
import { readSession } from "#server/auth/sessions";
import type { Context } from "#server/context";
import type { LoggedEvent } from "#server/event-log/read-log";
import type { Subscriber } from "#server/events/feed";
import { createSseStream } from "#server/events/sse-stream";
import { isBanker, type Member, readMembership } from "#server/faction/positions/membership";
import { type BoardPart, boardParts, partsChangedBy } from "#server/faction/show-board";
import { createJsonResponder } from "#server/platform/json-answer";
import { retryAfterHeader, strictTransport } from "#server/platform/response-headers";
import type { StreamOpener } from "#server/rest/endpoint";
import type { RequestOrigin } from "#server/rest/request-context";
import { streamHeaders, withStream } from "#server/rest/respond";
import { createBell } from "#server/work/wake-loop";

/** Browsers open six HTTP/1.1 connections per host, and pages need some of them. */
const boardsOfAccount = 3;
/** Seconds. */
const fullRetry = 30;
/** Seconds; another instance is ready during a drain. */
const drainRetry = 1;

/** `GET /faction/events`. Without a stream, the board polls slowly. */
export async function answerBoardStream(
  ctx: Context,
  request: Request,
  peer: RequestOrigin,
): Promise<Response> {
  const { requestId, say } = createJsonResponder(ctx, request, peer);
  const refuse = (status: number, message: string, headers?: Readonly<Record<string, string>>) =>
    say(status, { message }, headers);
  const refuseUntil = (status: number, message: string, seconds: number) =>
    refuse(status, message, retryAfterHeader(status, seconds));
  if (request.method !== "GET") return refuse(405, "The method must be GET.", { Allow: "GET" });
  if (isCrossSite(request.headers, ctx.settings.baseUrl))
    return refuse(403, "Only the portal's own pages may ask.");
  const token = readCookie(request.headers.get("cookie"), sessionCookieName(ctx.settings.https));
  const userAgent = request.headers.get("user-agent");
  const from = { requestId, address: peer.address, userAgent };
  const user = await readSession(ctx, token, from);
  if (!user || token === null) return refuse(401, "Sign in first.");
  if (!peer.streams) return refuse(501, "This server keeps no answer open.");
  if (ctx.presence.draining())
    return refuseUntil(503, "This instance is about to end.", drainRetry);
  const { limits, places } = ctx.events.feed;
  const most = { each: boardsOfAccount, all: limits.streams };
  const giveBack = places.boards.take(user.accountId, most);
  if (giveBack === "each")
    return refuseUntil(429, `${boardsOfAccount} boards are open already.`, fullRetry);
  if (giveBack === "all") return refuseUntil(503, "Too many boards are open.", fullRetry);
  try {
    const membership = await readMembership(ctx.database, user.playerId);
    const stream = createBoardStream(ctx, { user, token, membership, onEnd: giveBack });
    // The page reloads everything once the stream is open, so no change is missed.
    await ctx.events.feed.join(stream);
    const headers = {
      ...streamHeaders,
      Vary: "Cookie",
      "Cross-Origin-Resource-Policy": "same-origin",
      "X-Content-Type-Options": "nosniff",
      "X-Request-Id": requestId,
      ...(ctx.settings.https && { "Strict-Transport-Security": strictTransport }),
    };
    return withStream(new FastResponse(null, { status: 200, headers }), stream.open);
  } catch (error) {
    giveBack();
    throw error;
  }
}

/** A comment (HTML standard, section 9.2.5). */
const heartbeatFrame = ":\n\n";
const changedFrame = (parts: readonly BoardPart[]) =>
  `event: changed\ndata: ${parts.join(" ")}\n\n`;
/** "signed-out": the session has ended, or the account is banned. */
const endFrame = (reason: "signed-out" | "age" | "drain") => `event: end\ndata: ${reason}\n\n`;

/** Sends only the names of changed parts: the page loads their content with its current rights. */
function createBoardStream(
  ctx: Context,
  of: { user: PortalUser; token: string; membership: Member | null; onEnd: () => void },
) {
  const { user, token, onEnd } = of;
  let { membership } = of;
  let changed = new Set<BoardPart>();
  const bell = createBell();
  const add = (parts: readonly BoardPart[]) => {
    for (const part of parts) changed.add(part);
    if (parts.length > 0) bell.ring();
  };
  const concerns = ({ factionId, playerId }: LoggedEvent) =>
    membership !== null &&
    factionId === membership.factionId &&
    (playerId === null || playerId === user.playerId || isBanker(membership));

  const frames = () => {
    const parts = boardParts.filter((part) => changed.has(part));
    changed = new Set();
    return parts.length > 0 ? changedFrame(parts) : heartbeatFrame;
  };
  const source = {
    isWaiting: () => changed.size > 0,
    fetch: async () => (changed.size > 0 ? frames : undefined),
    heartbeat: frames,
    ending: async () => {
      if (!(await readSession(ctx, token, user.from))) return { frame: endFrame("signed-out") };
      const before = membership;
      membership = await readMembership(ctx.database, user.playerId);
      if (membership?.factionId !== before?.factionId || isBanker(membership) !== isBanker(before))
        add(boardParts);
      return undefined;
    },
    opening: () => heartbeatFrame,
    endFrame,
  };
  const close = () => {
    ctx.events.feed.leave(stream);
    onEnd();
  };
  const { open, ...answer } = createSseStream(ctx, source, { bell, close });
  const stream: Subscriber & { readonly open: StreamOpener } = {
    reader: { accountId: user.accountId },
    next: ({ events }) =>
      add(events.filter(concerns).flatMap(({ type }) => [...partsChangedBy(type)])),
    restart: () => add(boardParts),
    ...answer,
    open,
  };
  return stream;
}
