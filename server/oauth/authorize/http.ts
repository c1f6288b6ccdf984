import { createAnonymousActor } from "#server/actor";
import { readBrowserId } from "#server/auth/browser-binding";
import { browserCookie, readCookie, sessionCookieName } from "#server/auth/cookies";
import { readSession } from "#server/auth/sessions";
import type { Context } from "#server/context";
import { networkOf } from "#server/platform/peer-address";
import { themeCookieName } from "#server/platform/plain-page";
import { retryAfterHeader, strictTransport } from "#server/platform/response-headers";
import type { RequestOrigin } from "#server/rest/request-context";
import { doctorLink, type ErrorPageReason, errorPageHeaders, errorPageHtml } from "./error-page";
import {
  type AuthorizationOutcome,
  recordRateLimited,
  startAuthorization,
} from "./start-authorization";

/** RFC 6749 section 3.1. No cache or referrer may keep the answer, which may hold a code. */
export async function answerAuthorize(
  ctx: Context,
  request: Request,
  peer: Pick<RequestOrigin, "address" | "requestId">,
): Promise<Response> {
  const requestId = peer.requestId ?? ctx.ids.request();
  const headers = baseHeaders(ctx, requestId);
  if (request.method !== "GET") {
    headers.set("Allow", "GET");
    return new Response(null, { status: 405, headers });
  }
  const subject = networkOf(peer.address);
  const limit = await ctx.limiter.take({
    policy: "authorize",
    subject,
    limit: ctx.settings.rates.authorize,
  });
  const cookies = request.headers.get("cookie");
  const parameters = new URL(request.url).searchParams;
  const page = (status: number, reason: ErrorPageReason, more: Record<string, string> = {}) => {
    for (const [name, value] of Object.entries({ ...errorPageHeaders, ...more }))
      headers.set(name, value);
    const theme = readCookie(cookies, themeCookieName);
    const html = errorPageHtml(reason, {
      requestId,
      theme,
      doctor: doctorLink(parameters, requestId),
    });
    return new Response(html, { status, headers });
  };
  const userAgent = request.headers.get("user-agent");
  const from = { requestId, address: peer.address, userAgent };
  if (!limit.allowed) {
    recordRateLimited(ctx, from, parameters);
    return page(429, "too-many-requests", retryAfterHeader(429, limit.reset));
  }
  const { https } = ctx.settings;
  const user = await readSession(ctx, readCookie(cookies, sessionCookieName(https)), from);
  const outcome = await startAuthorization(ctx, user ?? createAnonymousActor(from), {
    parameters,
    browserId: readBrowserId(cookies, https),
  });
  return outcome.kind === "error-page" ? page(400, outcome.reason) : respond(ctx, headers, outcome);
}

function respond(
  ctx: Context,
  headers: Headers,
  outcome: Exclude<AuthorizationOutcome, { kind: "error-page" }>,
): Response {
  if (outcome.kind === "redirect") {
    headers.set("Location", outcome.location);
    // RFC 9700 section 4.12: 303, because 307 would resend a form's body.
    return new Response(null, { status: 303, headers });
  }
  const { https, baseUrl } = ctx.settings;
  const path =
    outcome.kind === "consent"
      ? `/consent/${outcome.requestId}`
      : `/sign-in?request=${outcome.requestId}`;
  headers.set("Location", baseUrl + path);
  headers.append("Set-Cookie", browserCookie(outcome.browserId, https));
  return new Response(null, { status: 303, headers });
}

function baseHeaders(ctx: Context, requestId: string): Headers {
  const headers = new Headers({
    "Cache-Control": "no-store",
    Pragma: "no-cache",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Request-Id": requestId,
  });
  if (ctx.settings.https) headers.set("Strict-Transport-Security", strictTransport);
  return headers;
}
