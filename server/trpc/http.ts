import { type AnyRouter, TRPCError } from "@trpc/server";
import { fetchRequestHandler } from "@trpc/server/adapters/fetch";
import { getHTTPStatusCodeFromError } from "@trpc/server/http";
import { isCrossSite, isProvenSameOrigin } from "#server/auth/csrf";
import type { Context } from "#server/context";
import { serializeError } from "#server/platform/errors";
import { mediaType, readLimitedText } from "#server/platform/limited-text";
import { retryAfterHeader } from "#server/platform/response-headers";
import type { RequestOrigin } from "#server/rest/request-context";
import { createPortalContext, hasValidCsrfToken, type PortalContext } from "./portal-context";
import { isTrpcError, publicError, refusalOf } from "./refusal";

const endpoint = "/api/trpc";
const largestBody = 256 * 1024;

/**
 * Only the session cookie authenticates, and a mutation must prove that it comes from the portal's
 * own script.
 */
export const createPortalHandler =
  (router: AnyRouter) =>
  async (
    ctx: Context,
    request: Request,
    { address, requestId = ctx.ids.request() }: Pick<RequestOrigin, "address" | "requestId">,
  ): Promise<Response> => {
    const from = { requestId, address, userAgent: request.headers.get("user-agent") };
    const cookies: string[] = [];
    const setCookie = (line: string) => void cookies.push(line);
    let createContext: () => PortalContext;
    let readable: Request;
    try {
      const portal = await openPortal(ctx, { headers: request.headers, from, setCookie });
      readable = await admit(portal, request);
      createContext = () => portal;
    } catch (refused) {
      if (!isTrpcError(refused)) throw refused;
      readable = withoutBody(request);
      createContext = () => {
        throw refused;
      };
    }
    const answer = await fetchRequestHandler({
      endpoint,
      req: readable,
      router,
      createContext,
      // Each call in a batch would cost queries.
      allowBatching: false,
      responseMeta: ({ errors }) => ({ headers: Object.assign({}, ...errors.map(retryAfterOf)) }),
    });
    const headers = new Headers(answer.headers);
    // tRPC labels its own refusals plain text.
    if (headers.get("content-type")?.startsWith("text/plain"))
      headers.set("content-type", "application/json");
    headers.set("cache-control", "no-store");
    headers.set("x-content-type-options", "nosniff");
    headers.set("cross-origin-resource-policy", "same-origin");
    headers.set("x-request-id", requestId);
    for (const line of cookies) headers.append("set-cookie", line);
    return new Response(answer.body, { status: answer.status, headers });
  };

/** @throws TRPCError */
const openPortal = (ctx: Context, caller: Parameters<typeof createPortalContext>[1]) =>
  createPortalContext(ctx, caller).catch((thrown: unknown): never => {
    const { requestId } = caller.from;
    ctx.log.error({ requestId, error: serializeError(thrown) }, "a portal call found no session");
    throw publicError(thrown) ?? new TRPCError({ code: "INTERNAL_SERVER_ERROR" });
  });

/** @throws TRPCError */
async function admit(portal: PortalContext, request: Request): Promise<Request> {
  const { headers, method, url } = request;
  const { baseUrl } = portal.context.settings;
  const refusal = (code: TRPCError["code"]) => new TRPCError({ code });
  if (method !== "POST") {
    if (isCrossSite(headers, baseUrl)) throw refusal("FORBIDDEN");
    return request;
  }
  if (mediaType(headers) !== "application/json") throw refusal("UNSUPPORTED_MEDIA_TYPE");
  if (
    !isProvenSameOrigin(headers, baseUrl) ||
    !hasValidCsrfToken(portal, headers.get("x-csrf-token"))
  )
    throw refusal("FORBIDDEN");
  const body = await readLimitedText(request, largestBody);
  if (body === undefined) throw refusal("PAYLOAD_TOO_LARGE");
  return new Request(url, { method, headers, body });
}

/** tRPC needs only the path to answer a refused request. */
const withoutBody = ({ url, method }: Request): Request =>
  new Request(
    url,
    method === "POST"
      ? { method, headers: { "content-type": "application/json" }, body: "{}" }
      : { method },
  );

const retryAfterOf = (error: TRPCError) =>
  retryAfterHeader(getHTTPStatusCodeFromError(error), refusalOf(error).retryAfter);
