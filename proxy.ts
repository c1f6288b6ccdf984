import { type NextRequest, NextResponse } from "next/server";
import { securePage } from "./server/front/secure-page";
import { isMachinePath } from "./server/machine-path";
import { readSettings } from "./server/platform/env";
import { refuseForeignHost } from "./server/platform/foreign-host";
import { randomIds } from "./server/platform/ids";

/** A program's path that no route has, or in a spelling that none has: the API's own 404 answers. */
function toApi(request: NextRequest): NextResponse {
  return NextResponse.rewrite(new URL("/api/no-such-endpoint", request.url));
}

/**
 * Where Next serves by itself, gives every page its nonce, its request id and its security headers, and refuses methods that it
 * is not asked with. Machine paths that answer never pass here, nor does anything that the production front let through: it
 * would double their cost.
 */
export function proxy(request: NextRequest): NextResponse {
  const settings = readSettings();
  const ids = randomIds();
  const requestId = ids.request();
  const foreign = refuseForeignHost(request, settings, requestId);
  if (foreign) return new NextResponse(foreign.body, foreign);
  const { method, nextUrl, headers } = request;
  if (isMachinePath(nextUrl.pathname)) return toApi(request);
  const page = securePage(
    {
      ...{
        method,
        pathname: nextUrl.pathname,
        search: nextUrl.search.slice(1),
        requestId,
        shared: false,
      },
      cookies: headers.get("cookie"),
    },
    settings,
    ids,
  );
  if (page.wrongMethod) return new NextResponse(null, { status: 405, headers: page.answer });

  const forwarded = new Headers(headers);
  for (const [name, value] of Object.entries(page.request)) {
    if (value === undefined) forwarded.delete(name);
    else forwarded.set(name, value);
  }
  const response = NextResponse.next({ request: { headers: forwarded } });
  for (const [name, value] of Object.entries(page.answer)) response.headers.set(name, value);
  return response;
}

export const config = {
  matcher: [
    {
      // Pages only: not the API, the OAuth endpoints (authorize has a policy of its own), discovery, health or static files.
      source:
        "/((?!api(?:/|$)|_next/(?:static|image)(?:/|$)|oauth/(?:authorize|token|revoke|introspect|metadata)$|chat/interactions$|cron/jobs$|faction/events$|\\.well-known/oauth-authorization-server$|health/|favicon\\.ico$|icon\\.svg$|apple-icon\\.png$|robots\\.txt$).*)",
      // What the front let through has a request id, and the headers of its page (server/load-pages.ts).
      missing: [{ type: "header", key: "x-adjutant-request" }],
    },
  ],
};
