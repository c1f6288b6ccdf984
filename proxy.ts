import { type NextRequest, NextResponse } from "next/server";
import { longestNext } from "./server/auth/safe-next";
import { isMachinePath } from "./server/machine-path";
import { readSettings, type Settings } from "./server/platform/env";
import { refuseForeignHost } from "./server/platform/foreign-host";
import { allowedMethods, formOriginCookie, parseFormOrigins } from "./server/platform/form-targets";
import { randomIds } from "./server/platform/ids";
import { endsAtClient, leadsToChat, pageHeaders } from "./server/platform/page-headers";
import { isForEverybody, pageAddressHeader, requestIdGiven } from "./server/platform/peer-address";

const nonceBytes = 16;

/** Where forms of the page that is asked for may lead besides to us: the chat, and the clients whose requests wait here. */
function formActionFor(request: NextRequest, settings: Settings): string[] {
  const { pathname } = request.nextUrl;
  const chat = settings.chatSignIn && leadsToChat(pathname) ? [new URL(settings.chatSignIn.authorizeUrl).origin] : [];
  const clients = endsAtClient(pathname) ? parseFormOrigins(request.cookies.get(formOriginCookie)?.value) : [];
  return [...chat, ...clients];
}

/** A program's path that no route has, or in a spelling that none has: the API's own 404 answers. */
function toApi(request: NextRequest): NextResponse {
  return NextResponse.rewrite(new URL("/api/no-such-endpoint", request.url));
}

/** What leads back to the page: without its query where that is longer than a sign-in hands on. */
const addressOf = ({ pathname, search }: URL): string =>
  pathname.length + search.length > longestNext ? pathname : pathname + search;

/**
 * Gives every page its nonce, its request id and its security headers, and refuses methods that it is not asked with. Machine
 * paths that answer never pass here: it would double their cost.
 */
export function proxy(request: NextRequest): NextResponse {
  const settings = readSettings();
  const ids = randomIds();
  const requestId = requestIdGiven(request.headers) ?? ids.request();
  const foreign = refuseForeignHost(request, settings, requestId);
  if (foreign) return new NextResponse(foreign.body, foreign);
  if (isMachinePath(request.nextUrl.pathname)) return toApi(request);
  const nonce = Buffer.from(ids.bytes(nonceBytes)).toString("base64");
  // The front has one rendering for all visitors, and names its inline scripts in the policy that it sends.
  const shared = isForEverybody(request.headers);
  const page = pageHeaders({
    path: request.nextUrl.pathname,
    inline: shared ? { hashes: [] } : { nonce },
    // Redirects after a form post are built from BASE_URL, which need not be the name the browser used (127.0.0.1, localhost).
    formAction: [settings.baseUrl, ...formActionFor(request, settings)],
    https: settings.https,
    development: settings.development,
  });

  const methods = allowedMethods(request.nextUrl.pathname);
  if (!methods.includes(request.method)) {
    const headers = { ...page, Allow: methods.join(", "), "X-Request-Id": requestId };
    return new NextResponse(null, { status: 405, headers });
  }

  // Next reads the nonce from the request's policy; x-nonce is for our own inline scripts. All four overwrite what a client sent.
  const forwarded = new Headers(request.headers);
  forwarded.set("content-security-policy", page["Content-Security-Policy"] ?? "");
  forwarded.delete("x-nonce");
  if (!shared) forwarded.set("x-nonce", nonce);
  forwarded.set("x-request-id", requestId);
  forwarded.set(pageAddressHeader, addressOf(request.nextUrl));

  const response = NextResponse.next({ request: { headers: forwarded } });
  response.headers.set("X-Request-Id", requestId);
  for (const [name, value] of Object.entries(page)) response.headers.set(name, value);
  return response;
}

export const config = {
  // Pages only: not the API, the OAuth endpoints (authorize has a policy of its own), discovery, health or static files.
  matcher: [
    "/((?!api(?:/|$)|_next/(?:static|image)(?:/|$)|oauth/(?:authorize|token|revoke|introspect|metadata)$|chat/interactions$|cron/jobs$|faction/events$|\\.well-known/oauth-authorization-server$|health/|favicon\\.ico$|icon\\.svg$|apple-icon\\.png$|robots\\.txt$).*)",
  ],
};
