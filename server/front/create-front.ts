import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { NodeRequest, sendNodeResponse } from "srvx/node";
import { answer } from "#server/answer";
import type { Context } from "#server/context";
import { BackendError } from "#server/failures";
import { isMachinePath } from "#server/machine-path";
import { serializeError } from "#server/platform/errors";
import { collectLimited } from "#server/platform/limited-text";
import {
  internalPeerHeader,
  internalRequestIdHeader,
  sharedPageHeader,
} from "#server/platform/peer-address";
import { strictTransport } from "#server/platform/response-headers";
import { secondMs } from "#server/platform/time";
import type { StreamOpener } from "#server/rest/endpoint";
import { largestBody } from "#server/rest/read-input";
import type { RequestOrigin, RequestTarget } from "#server/rest/request-context";
import { microsSince, observeRequest } from "#server/rest/request-log";
import { streamOf } from "#server/rest/respond";
import type { PackedFileHandler } from "./compression";
import { createPageAdmission, pageLimits } from "./page-admission";
import { createPipelineQueue } from "./pipeline-queue";
import {
  handleClientErrors,
  headerRefusalOf,
  malformedPathRefusal,
  pageRequestRefusalOf,
  refuseEarly,
  refusePage,
  requestTargetOf,
} from "./refuse";
import { withFaultRefusal } from "./refuse-faults";
import {
  createPageClient,
  createSharedPages,
  type PageHandler,
  sharedPageLimits,
} from "./shared-pages";
import { type ClientOrigin, createOriginResolver } from "./trusted-proxies";

export interface FrontOptions {
  readonly ctx: Context;
  readonly pages: PageHandler;
  readonly packed?: PackedFileHandler;
  /** Returns the route template. */
  readonly routeOf?: (pathname: string) => string;
  /** Times in milliseconds. */
  readonly limits?: Partial<
    typeof ownLimits & typeof connectionLimits & typeof pageLimits & typeof sharedPageLimits
  >;
}

/** Proxies keep idle connections for a minute at most, less than `keepAliveTimeout`. */
const ownLimits = {
  // The refusal would have no body.
  requireHostHeader: false,
  maxHeaderSize: 16 * 1_024,
  headersTimeout: 20 * secondMs,
  requestTimeout: 60 * secondMs,
  keepAliveTimeout: 65 * secondMs,
  connectionsCheckingInterval: 5 * secondMs,
};

const connectionLimits = {
  silence: 30 * secondMs,
  /** At 4 KB a second, a page of half a megabyte arrives in time. */
  longestTurn: 120 * secondMs,
  /** Known clients pipeline a few dozen requests at most. */
  mostWaiting: 64,
  /** A waiting request holds about 8 KB, and up to 16 KB of headers. */
  mostWaitingInAll: 1_000,
};

interface PageCall {
  readonly pathname: string;
  readonly address: string | null;
  readonly requestId: string;
}

export function createFront({
  ctx,
  pages,
  packed,
  routeOf = () => "page",
  limits = {},
}: FrontOptions): Server {
  const cameFrom = createOriginResolver(ctx.settings.trustedProxies);

  const bounds = {
    ...ownLimits,
    ...connectionLimits,
    ...pageLimits,
    ...sharedPageLimits,
    ...limits,
  };
  const admit = createPageAdmission(ctx, bounds);
  const guarded = withFaultRefusal(ctx, pages);
  const shared = createSharedPages(ctx, createPageClient(pages), bounds);
  const turns = createPipelineQueue(receive, bounds);
  const server = createServer(bounds, turns.handle);
  server.timeout = bounds.silence;
  server.on("timeout", turns.cutSilent);
  server.on("checkExpectation", turns.handle);
  const watch = setInterval(turns.cutSlow, bounds.connectionsCheckingInterval).unref();
  server.once("close", () => clearInterval(watch));
  return handleClientErrors(server, ctx);

  function receive(request: IncomingMessage, response: ServerResponse): void {
    const target = requestTargetOf(request);
    const refusal = headerRefusalOf(request);
    if (!target || refusal) {
      if (ctx.settings.https) response.setHeader("Strict-Transport-Security", strictTransport);
      refuseEarly(response, { ...(refusal ?? malformedPathRefusal), requestId: ctx.ids.request() });
      return;
    }
    const { pathname } = target;
    const from = cameFrom(request);
    if (isMachinePath(pathname)) return void machine(request, response, { from, target });
    // Next's redirects, files and refusals do not set this header.
    if (ctx.settings.https) response.setHeader("Strict-Transport-Security", strictTransport);
    const requestId = from.requestId ?? ctx.ids.request();
    const isFile = pathname.startsWith("/_next/");
    if (packed?.(request, response, pathname))
      return void observe(request, response, { requestId, route: "file" });
    if (ctx.presence.draining()) response.shouldKeepAlive = false;
    if (shared.answer({ request, response, pathname, requestId }))
      return void observe(request, response, { requestId, route: routeOf(pathname) });
    observe(request, response, { requestId, route: isFile ? "file" : routeOf(pathname) });
    return void page(request, response, { pathname, address: from.address, requestId });
  }

  function observe(
    { method = "" }: IncomingMessage,
    response: ServerResponse,
    { requestId, route }: { requestId: string; route: string },
  ): void {
    const started = performance.now();
    response.once("close", () =>
      observeRequest(ctx, {
        requestId,
        method,
        route,
        status: response.statusCode,
        clientId: null,
        micros: microsSince(started),
      }),
    );
  }

  async function machine(
    request: IncomingMessage,
    response: ServerResponse,
    { from, target }: { readonly from: ClientOrigin; readonly target: RequestTarget },
  ): Promise<void> {
    try {
      const reading = readGetBody(request, largestBody);
      const { body, oversized } = reading === undefined ? ({} as GetBody) : await reading;
      const { address, insecure, requestId } = from;
      const peer: RequestOrigin = {
        target,
        address,
        insecure,
        streams: true,
        body,
        oversized,
        requestId,
      };
      // With an unread body the connection cannot be reused.
      if (Number(request.headers["content-length"] ?? 0) > largestBody || peer.oversized)
        response.shouldKeepAlive = false;
      const said = await answer(ctx, new NodeRequest({ req: request, res: response }), peer);
      // A connection kept during a drain would find no server.
      if (ctx.presence.draining()) response.shouldKeepAlive = false;
      const stream = streamOf(said);
      if (stream) sendStream(response, said, stream);
      else await sendNodeResponse(response, said);
    } catch (error) {
      fail(error, response, from.requestId);
    }
  }

  function sendStream(
    response: ServerResponse,
    { status, headers }: Response,
    stream: StreamOpener,
  ): void {
    if (response.socket) turns.keepOpen(response.socket);
    response.shouldKeepAlive = false;
    response.writeHead(status, Object.fromEntries(headers));
    stream(response);
  }

  async function page(
    request: IncomingMessage,
    response: ServerResponse,
    { pathname, address, requestId }: PageCall,
  ): Promise<void> {
    const refused = pageRequestRefusalOf(request, pathname);
    if (refused) return refuseEarly(response, { ...refused, requestId });
    const crowded = await admit(response, address);
    if (crowded) return refusePage(response, crowded, { pathname, requestId });
    if (response.closed) return;
    if (await shared.render({ request, response, pathname, requestId })) return;
    if (response.closed) return;
    // Overwrites what a client sent.
    if (address === null) delete request.headers[internalPeerHeader];
    else request.headers[internalPeerHeader] = address;
    request.headers[internalRequestIdHeader] = requestId;
    delete request.headers[sharedPageHeader];
    // Next's redirects and files do not set this header.
    response.setHeader("X-Content-Type-Options", "nosniff");
    try {
      await guarded(request, response);
    } catch (error) {
      fail(error, response, requestId);
    }
  }

  function fail(error: unknown, response: ServerResponse, requestId = ctx.ids.request()): void {
    ctx.log.error(
      { requestId, error: serializeError(error) },
      "a request failed outside its handler",
    );
    if (response.headersSent) response.destroy();
    else refuseEarly(response, { kind: BackendError, requestId });
  }
}

/** A web-standard Request cannot carry the body of a GET. */
type GetBody = { readonly body?: Buffer; readonly oversized?: boolean };

function readGetBody(request: IncomingMessage, mostBytes: number): Promise<GetBody> | undefined {
  const { headers, method } = request;
  if (method !== "GET" && method !== "HEAD") return undefined;
  const length = headers["content-length"];
  if (headers["transfer-encoding"] === undefined && (length === undefined || length === "0"))
    return undefined;
  if (Number(length ?? 0) > mostBytes) return Promise.resolve({ oversized: true });
  return collectLimited(request, mostBytes).then(
    (body) => (body ? { body } : { oversized: true }),
    () => ({}),
  );
}
