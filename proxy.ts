import { type NextRequest, NextResponse } from "next/server";
import { securityHeadersOf } from "./server/front/secure-page";
import { isMachinePath } from "./server/machine-path";
import { readSettings } from "./server/platform/env";
import { refuseForeignHost } from "./server/platform/foreign-host";
import { createIds } from "./server/platform/ids";

/** Unknown or misspelt machine paths get the API's own 404. */
function toApi(request: NextRequest): NextResponse {
  return NextResponse.rewrite(new URL("/api/no-such-endpoint", request.url));
}

/**
 * Used without the production front. Gives pages their nonce, request id and security headers, and
 * refuses other methods. Machine paths are not matched, as that would double their cost.
 */
export function proxy(request: NextRequest): NextResponse {
  const settings = readSettings();
  const ids = createIds();
  const requestId = ids.request();
  const foreign = refuseForeignHost(request, settings, requestId);
  if (foreign) return new NextResponse(foreign.body, foreign);
  const { method, nextUrl, headers } = request;
  if (isMachinePath(nextUrl.pathname)) return toApi(request);
  const page = securityHeadersOf(
    {
      ...{ method, requestId, shared: false },
      ...{ pathname: nextUrl.pathname, search: nextUrl.search.slice(1) },
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
      // Pages only: not the API, the OAuth endpoints (authorize has a policy of its own),
      // discovery, health or static files.
      source:
        "/((?!api(?:/|$)|_next/(?:static|image)(?:/|$)|oauth/(?:authorize|token|revoke|introspect|metadata)$|chat/interactions$|cron/jobs$|faction/events$|\\.well-known/oauth-authorization-server$|health/|favicon\\.ico$|icon\\.svg$|apple-icon\\.png$|robots\\.txt$).*)",
      // Requests through the front already have a request id and their page's headers
      // (server/load-pages.ts).
      missing: [{ type: "header", key: "x-adjutant-request" }],
    },
  ],
};
