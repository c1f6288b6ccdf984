import { FastResponse } from "srvx";
import { readCookie, sessionCookieName } from "#server/auth/cookies";
import { isCrossSite } from "#server/auth/csrf";
import { readSession } from "#server/auth/sessions";
import { type Context, perProcess } from "#server/context";
import { createStreamSlots } from "#server/events/event-limits";
import { readMembership } from "#server/faction/positions/read-membership";
import { jsonAnswer } from "#server/platform/json-answer";
import { strictTransport } from "#server/platform/page-headers";
import { retryAfterHeader } from "#server/platform/retry-after";
import type { RequestOrigin } from "#server/rest/request-context";
import { streamHeaders, withStream } from "#server/rest/respond";
import { createBoardStream } from "./board-stream";

const boardSlots = perProcess("open boards", createStreamSlots);

/** Of one account. A browser keeps six connections to a server that speaks HTTP/1.1, and must have some left for pages. */
const boardsOfAccount = 3;
/** Seconds after which a place may be free. */
const fullRetry = 30;
/** Another instance is ready when this one drains. */
const drainRetry = 1;

/**
 * `GET /faction/events`: tells an open board of the portal which of its parts has changed, for as long as the session lives. A board
 * that gets no stream asks again by itself, more slowly.
 */
export async function answerBoardStream(ctx: Context, request: Request, peer: RequestOrigin): Promise<Response> {
  const requestId = peer.requestId ?? ctx.ids.request();
  const refuse = (status: number, message: string, headers?: Readonly<Record<string, string>>) =>
    jsonAnswer(request, ctx.settings, { status, record: { message }, requestId, headers });
  const refuseUntil = (status: number, message: string, seconds: number) =>
    refuse(status, message, retryAfterHeader(status, seconds));
  if (request.method !== "GET") return refuse(405, "The method must be GET.", { Allow: "GET" });
  if (isCrossSite(request.headers, ctx.settings.baseUrl)) return refuse(403, "Only the portal's own pages may ask.");
  const token = readCookie(request.headers.get("cookie"), sessionCookieName(ctx.settings.https));
  const user = await readSession(ctx, token);
  if (!user || token === null) return refuse(401, "Sign in first.");
  if (!peer.streams) return refuse(501, "This server keeps no answer open.");
  if (ctx.readiness.draining()) return refuseUntil(503, "This instance is about to end.", drainRetry);
  const giveBack = boardSlots(ctx).take(user.accountId, { each: boardsOfAccount, all: ctx.eventFeed.limits.streams });
  if (giveBack === "each") return refuseUntil(429, `${boardsOfAccount} boards are open already.`, fullRetry);
  if (giveBack === "all") return refuseUntil(503, "Too many boards are open.", fullRetry);
  try {
    const membership = await readMembership(ctx.database, user.playerId);
    const stream = createBoardStream(ctx, { user, token, membership, onEnd: giveBack });
    // The page asks for everything once the stream is open, so that nothing falls between.
    await ctx.eventFeed.join(stream);
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
