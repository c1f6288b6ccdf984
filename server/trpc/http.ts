import { type AnyRouter, TRPCError } from "@trpc/server";
import { fetchRequestHandler } from "@trpc/server/adapters/fetch";
import { getHTTPStatusCodeFromError } from "@trpc/server/http";
import { isCrossSite, isProvenSameOrigin } from "#server/auth/csrf";
import type { Context } from "#server/context";
import { describeError } from "#server/platform/errors";
import { mediaType, readLimitedText } from "#server/platform/limited-text";
import { retryAfterHeader } from "#server/platform/response-headers";
import type { RequestOrigin } from "#server/rest/request-context";
import { carriesToken, createPortalContext, type PortalContext } from "./portal-context";
import { publicError, refusalOf } from "./refusal";

const endpoint = "/api/trpc";
const largestBody = 256 * 1024;

/**
 * Queries by GET, mutations by POST. Only the session cookie authenticates, and a mutation must
 * prove that it comes from the portal's own script.
 */
export const portalCalls =
  (router: AnyRouter) =>
  (
    ctx: Context,
    request: Request,
    peer: Pick<RequestOrigin, "address" | "requestId">,
  ): Promise<Response> =>
    answerPortalCall(router, ctx, request, peer);

async function answerPortalCall(
  router: AnyRouter,
  ctx: Context,
  request: Request,
  { address, requestId = ctx.ids.request() }: Pick<RequestOrigin, "address" | "requestId">,
): Promise<Response> {
  const from = { requestId, address, userAgent: request.headers.get("user-agent") };
  const cookies: string[] = [];
  const { portal, readable, refused } = await createPortalContext(ctx, {
    headers: request.headers,
    from,
    setCookie: (line) => cookies.push(line),
  }).then(
    (opened) => admit(opened, request),
    (thrown: unknown) => {
      ctx.log.error({ requestId, error: describeError(thrown) }, "a portal call found no session");
      return refuse(
        request,
        publicError(thrown) ?? new TRPCError({ code: "INTERNAL_SERVER_ERROR" }),
      );
    },
  );
  const answer = await fetchRequestHandler({
    endpoint,
    req: readable,
    router,
    // A batch would cost a query or more for each of its calls.
    allowBatching: false,
    createContext: () => {
      if (!portal) throw refused;
      return portal;
    },
    responseMeta: ({ errors }) => ({ headers: Object.assign({}, ...errors.map(retryAfterOf)) }),
  });
  const headers = new Headers(answer.headers);
  // tRPC labels its own refusals plain text, although they are JSON.
  if (headers.get("content-type")?.startsWith("text/plain"))
    headers.set("content-type", "application/json");
  headers.set("cache-control", "no-store");
  headers.set("x-content-type-options", "nosniff");
  headers.set("cross-origin-resource-policy", "same-origin");
  headers.set("x-request-id", requestId);
  for (const line of cookies) headers.append("set-cookie", line);
  return new Response(answer.body, { status: answer.status, headers });
}

type Admission =
  | { readonly readable: Request; readonly portal: PortalContext; readonly refused?: undefined }
  | { readonly readable: Request; readonly portal?: undefined; readonly refused: TRPCError };

async function admit(portal: PortalContext, request: Request): Promise<Admission> {
  const { headers } = request;
  const { baseUrl } = portal.context.settings;
  const no = (code: TRPCError["code"]) => refuse(request, new TRPCError({ code }));
  if (request.method !== "POST")
    return isCrossSite(headers, baseUrl) ? no("FORBIDDEN") : { readable: request, portal };

  if (mediaType(headers) !== "application/json") return no("UNSUPPORTED_MEDIA_TYPE");
  if (!isProvenSameOrigin(headers, baseUrl) || !carriesToken(portal, headers.get("x-csrf-token")))
    return no("FORBIDDEN");
  const body = await readLimitedText(request, largestBody);
  if (body === undefined) return no("PAYLOAD_TOO_LARGE");
  return { readable: new Request(request.url, { method: "POST", headers, body }), portal };
}

/** Without its body, so that its path alone decides the form of the answer. */
function refuse({ url, method }: Request, refused: TRPCError): Admission {
  const headers = { "content-type": "application/json" };
  return {
    refused,
    readable: new Request(url, method === "POST" ? { method, headers, body: "{}" } : { method }),
  };
}

const retryAfterOf = (error: TRPCError) =>
  retryAfterHeader(getHTTPStatusCodeFromError(error), refusalOf(error).retryAfter);
