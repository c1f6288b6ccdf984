import { type NextRequest, NextResponse } from "next/server";
import { parseEnvironment } from "#server/platform/env";
import { formOriginCookie, parseFormOrigins } from "#server/platform/form-origins";
import { endsAtClient, pageHeaders } from "#server/platform/page-headers";

const nonceBytes = 16;

/** Where forms of the page that is asked for may end besides at us: the clients whose requests this browser has waiting. */
function formActionFor(request: NextRequest): string[] {
  if (!endsAtClient(request.nextUrl.pathname)) return [];
  return parseFormOrigins(request.cookies.get(formOriginCookie)?.value);
}

/** Gives every page its nonce and its security headers. Machine paths never pass here: it would double their cost. */
export function proxy(request: NextRequest): NextResponse {
  const settings = parseEnvironment(process.env);
  const nonce = Buffer.from(crypto.getRandomValues(new Uint8Array(nonceBytes))).toString("base64");
  const page = pageHeaders({
    path: request.nextUrl.pathname,
    nonce,
    // Redirects after a form post are built from BASE_URL, which need not be the name the browser used (127.0.0.1, localhost).
    formAction: [settings.baseUrl, ...formActionFor(request)],
    https: settings.https,
    development: settings.development,
  });

  // Next reads the nonce from the request's policy; x-nonce is for our own inline scripts. Both overwrite what a client sent.
  const forwarded = new Headers(request.headers);
  forwarded.set("content-security-policy", page["Content-Security-Policy"] ?? "");
  forwarded.set("x-nonce", nonce);

  const response = NextResponse.next({ request: { headers: forwarded } });
  for (const [name, value] of Object.entries(page)) response.headers.set(name, value);
  return response;
}

export const config = {
  // Pages only: not the API, the OAuth endpoints (authorize has a policy of its own), discovery, health or static files.
  matcher: [
    "/((?!api(?:/|$)|_next/|oauth/(?:authorize|token|revoke|introspect|metadata)(?:/|$)|\\.well-known(?:/|$)|health(?:/|$)|favicon\\.ico$|icon\\.svg$|apple-icon\\.png$|robots\\.txt$).*)",
  ],
};
