import { TRPCError } from "@trpc/server";
import { fetchRequestHandler } from "@trpc/server/adapters/fetch";
import { isCrossSite, isCsrfToken, isProvenSameOrigin } from "#server/auth/csrf";
import type { Context } from "#server/context";
import { readLimitedText } from "#server/platform/limited-text";
import type { PortalContext } from "./init";
import { openPortalContext } from "./portal-context";
import { appRouter } from "./router";

const endpoint = "/api/trpc";
const largestBody = 256 * 1024;

/**
 * Answers the portal's calls over HTTP: queries by GET, mutations by POST. The session cookie alone says who calls, and a
 * mutation must prove that it comes from the portal's own script.
 * @param address the peer's, or null where the mount cannot know it
 */
export async function answerPortalCall(ctx: Context, request: Request, address: string | null): Promise<Response> {
  const cookies: string[] = [];
  const portal = await openPortalContext(ctx, {
    cookies: request.headers.get("cookie"),
    userAgent: request.headers.get("user-agent"),
    address,
    setCookie: (line) => cookies.push(line),
  });
  const { refused, readable } = await admit(portal, request);
  const answer = await fetchRequestHandler({
    endpoint,
    req: readable,
    router: appRouter,
    allowBatching: true,
    allowMethodOverride: false,
    createContext: () => {
      if (refused) throw refused;
      return portal;
    },
  });
  const headers = new Headers(answer.headers);
  headers.set("cache-control", "no-store");
  headers.set("x-content-type-options", "nosniff");
  headers.set("cross-origin-resource-policy", "same-origin");
  headers.set("x-request-id", portal.origin.requestId);
  for (const line of cookies) headers.append("set-cookie", line);
  return new Response(answer.body, { status: answer.status, headers });
}

interface Admission {
  readonly refused?: TRPCError;
  /** The request to hand on; without its body once it is refused. */
  readonly readable: Request;
}

async function admit(portal: PortalContext, request: Request): Promise<Admission> {
  const { headers } = request;
  const withBody = request.method === "POST";
  const refuse = (code: TRPCError["code"]): Admission => ({
    refused: new TRPCError({ code }),
    readable: new Request(request.url, {
      method: request.method,
      headers: withBody ? { "content-type": "application/json" } : {},
      body: withBody ? "{}" : null,
    }),
  });
  if (!withBody)
    return isCrossSite(headers, portal.context.settings.baseUrl) ? refuse("FORBIDDEN") : { readable: request };

  if (mediaType(headers) !== "application/json") return refuse("UNSUPPORTED_MEDIA_TYPE");
  if (!isProvenSameOrigin(headers, portal.context.settings.baseUrl)) return refuse("FORBIDDEN");
  if (!carriesToken(portal, headers)) return refuse("FORBIDDEN");
  const body = await readLimitedText(request, largestBody);
  if (body === undefined) return refuse("PAYLOAD_TOO_LARGE");
  return { readable: new Request(request.url, { method: "POST", headers, body }) };
}

/** Where nobody is signed in there is nothing to ride on, and the proof of origin is enough. */
const carriesToken = ({ context, user }: PortalContext, headers: Headers): boolean =>
  user === null || isCsrfToken(context.keyring, user.sessionHash, headers.get("x-csrf-token"));

const mediaType = (headers: Headers): string =>
  (headers.get("content-type") ?? "").split(";", 1)[0]?.trim().toLowerCase() ?? "";
