import type { Settings } from "./env";
import { hasFront } from "./peer-address";
import { strictTransport } from "./response-headers";

const loopback = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/i;

type HostSettings = Pick<Settings, "baseUrl" | "https" | "development">;

export function isForeignHost(
  host: string | null,
  { baseUrl }: Pick<Settings, "baseUrl">,
): boolean {
  if (host === null) return false;
  const own = new URL(baseUrl);
  if (loopback.test(own.host)) return !loopback.test(host);
  // A parsed host is in lower case and without the default port.
  const url = /^[\w.:[\]-]+$/.test(host) ? `${own.protocol}//${host}` : "";
  return !URL.canParse(url) || new URL(url).host !== own.host;
}

/** Next builds redirects from the host, so a foreign host gets 421 (RFC 9110 section 15.5.20). */
export function refuseForeignHost(
  request: Request,
  settings: HostSettings,
  requestId: string,
): Response | undefined {
  const { pathname } = new URL(request.url);
  if (hasFront() || settings.development || pathname.startsWith("/health/")) return undefined;
  if (!isForeignHost(request.headers.get("host"), settings)) return undefined;
  const message = `This server answers for ${settings.baseUrl} alone.`;
  const headers = {
    "Content-Type": "application/json",
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
    "X-Request-Id": requestId,
    ...(settings.https && { "Strict-Transport-Security": strictTransport }),
  };
  return new Response(JSON.stringify({ code: 0, name: "GeneralError", message }), {
    status: 421,
    headers,
  });
}
