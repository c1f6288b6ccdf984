import { STATUS_CODES } from "node:http";
import { FastResponse } from "srvx";
import type { FailureNote } from "#db/schema/operations";
import { requireScopes } from "#server/actor";
import { type Context, perProcess } from "#server/context";
import { failureOf, logFailure } from "#server/failure-of";
import {
  EndpointNotFound,
  type Failure,
  GeneralError,
  InvalidMethod,
  NotAcceptable,
  PayloadTooLarge,
} from "#server/failures";
import { toUnixSeconds } from "#server/platform/time";
import { createTtlCache } from "#server/platform/ttl-cache";
import { authenticate, chargeAddress, peekAtAddress, requireActive } from "./authenticate";
import type { Endpoint } from "./endpoint";
import { onlyOnce } from "./idempotency";
import { readBody, readInput } from "./read-input";
import {
  acceptsJson,
  createRequestContext,
  prefersStream,
  type RequestContext,
  type RequestOrigin,
} from "./request-context";
import {
  loggedFailureOf,
  loggedPathOf,
  loggedUserAgentOf,
  microsSince,
  observeRequest,
} from "./request-log";
import {
  conditionalResult,
  failureResult,
  type HttpResult,
  preflightHeaders,
  rateHeaders,
  responseHeaders,
  type SerializedResponse,
  serializeResponse,
  streamHeaders,
  withStream,
} from "./respond";
import { compileRouter } from "./router";
import type { AnsweredCall } from "./store";

export interface DispatchOptions {
  readonly prefix: string;
  readonly documents?: ReadonlyMap<string, (ctx: Context) => string>;
}

export type Dispatch = (ctx: Context, request: Request, peer: RequestOrigin) => Promise<Response>;

const everyMethod = "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS";
const documentAllow = "GET, HEAD, OPTIONS";

export function compileDispatch(
  endpoints: readonly Endpoint[],
  options: DispatchOptions,
): Dispatch {
  const find = compileRouter(endpoints, options.prefix);
  const documents = options.documents ?? new Map<string, never>();
  return async (ctx, request, peer) => {
    const started = performance.now();
    const call = createRequestContext(ctx, { request, peer, find });
    const document = documents.get(call.pathname);
    const allow = call.match?.route.allow ?? (document && documentAllow);
    let answer: HttpResult;
    let note: FailureNote | null = null;
    const isPreflighted = isPreflight(request, allow);
    try {
      if (isPreflighted) answer = await preflight(call, allow ?? everyMethod);
      else answer = document ? await publish(call, document) : await executeEndpoint(call);
    } catch (thrown) {
      const failure = failureOf(thrown);
      answer = await refuse(call, failure, allow);
      note = loggedFailureOf(call, failure);
    }
    // One literal, because V8 makes a hidden class per object with several spreads.
    const line: AnsweredCall = {
      at: call.at,
      requestId: call.requestId,
      method: request.method,
      route: call.match?.route.template ?? (document ? call.pathname : "unmatched"),
      status: answer.status,
      failureCode: answer.failureCode,
      accountId: call.actor?.accountId ?? null,
      clientId: call.actor?.clientId ?? null,
      address: peer.address,
      micros: microsSince(started),
      path: loggedPathOf(call),
      userAgent: loggedUserAgentOf(call),
      failure: note,
      tokenHashes: call.tokenHashes,
    };
    if (!isPreflighted) ctx.logRequest(line);
    observeRequest(ctx, line);
    return respond(call, answer);
  };
}

const mostAnswers = 1_000;

/** Answers that are equal for all callers, by path and query. */
const sharedAnswers = perProcess("answers", ({ now, metrics }) => {
  const kept = createTtlCache<string, SerializedResponse>({ now, ttl: 0, most: mostAnswers });
  const find = (address: string): SerializedResponse | undefined => {
    const found = kept.get(address);
    metrics.cacheLookups.labels("answers", found ? "hit" : "miss").inc();
    return found;
  };
  return { kept, find };
});

async function executeEndpoint(call: RequestContext): Promise<HttpResult> {
  const { ctx, endpoint, match } = call;
  const authentication = await authenticate(call, misdirected(call));
  if (!endpoint || !match) throw EndpointNotFound.because();
  const actor = requireActive(authentication);
  const { player } = authentication;
  requireScopes(actor.scopes, endpoint.scopes, authentication.withheld);
  if (!endpoint.body && call.peer.oversized) throw PayloadTooLarge.because();
  const text = endpoint.body ? await readBody(call.request, call.peer) : "";
  call.bodyText = text;
  const { query, body } = readInput(endpoint, { search: call.search, text });

  const address = { pathname: call.pathname, search: endpoint.query ? call.search : "" };
  const answers = endpoint.cache && sharedAnswers(ctx);
  const cacheKey = `${address.pathname}?${address.search}`;
  const caller = { ifNoneMatch: call.request.headers.get("if-none-match"), now: call.at };
  const cached = answers?.find(cacheKey);
  if (cached) return conditionalResult(cached, caller);

  const { request } = call;
  const { params } = match;
  const from = {
    requestId: call.requestId,
    address: call.peer.address,
    userAgent: request.headers.get("user-agent"),
  };
  const given = { ctx, by: { ...actor, from }, player, params, query, body, request };
  if (wantsStream(call)) {
    const stream = request.method === "HEAD" ? undefined : await endpoint.stream?.open(given);
    return { status: 200, headers: streamHeaders, body: null, failureCode: null, stream };
  }
  const handle = async (): Promise<HttpResult> => {
    const returned = await endpoint.handle(given);
    const said = serializeResponse(endpoint, returned, { ctx, address });
    if (said.body !== null) answers?.kept.set(cacheKey, said, said.staleAt);
    return conditionalResult(said, caller);
  };
  return endpoint.idempotent ? onlyOnce(call, text, handle) : handle();
}

function misdirected({ peer, match, endpoint, request }: RequestContext): Failure | undefined {
  if (peer.insecure) return insecure();
  if (!match) return EndpointNotFound.because();
  if (!endpoint) return InvalidMethod.because();
  const accept = request.headers.get("accept");
  if (acceptsJson(accept)) return undefined;
  if (!endpoint.stream || !prefersStream(accept)) return NotAcceptable.because();
  return peer.streams ? undefined : NotAcceptable.because({ message: noStreams });
}

const noStreams =
  "This installation runs on a platform that ends long answers, so that there are no streams. Ask for application/json, with `wait`.";

const wantsStream = ({ endpoint, peer, request }: RequestContext): boolean =>
  endpoint?.stream !== undefined &&
  peer.streams === true &&
  prefersStream(request.headers.get("accept"));

const insecure = () =>
  GeneralError.because({
    message: "The API is reached over https alone; revoke a token that was sent in the clear.",
  });

/** A document takes up to 50 ms to write. */
const documentTexts = perProcess("documents", () => new Map<string, string>());

async function publish(
  call: RequestContext,
  document: (ctx: Context) => string,
): Promise<HttpResult> {
  const { ctx, pathname } = call;
  const { method } = call.request;
  await chargeAddress(call);
  if (method !== "GET" && method !== "HEAD") throw InvalidMethod.because();
  const texts = documentTexts(ctx);
  const body = texts.get(pathname) ?? document(ctx);
  texts.set(pathname, body);
  return { status: 200, headers: {}, body, failureCode: null };
}

async function refuse(
  call: RequestContext,
  failure: Failure,
  allow: string | undefined,
): Promise<HttpResult> {
  const { ctx, requestId, match } = call;
  const { status } = failure.kind;
  if (status >= 500) logFailure(ctx.log, failure, { requestId, route: match?.route.template });
  call.window ??= await peekAtAddress(call);
  const answer = failureResult(failure);
  return status === InvalidMethod.status && allow
    ? { ...answer, headers: { ...answer.headers, Allow: allow } }
    : answer;
}

/** A preflight succeeds even if the call will fail, so that the script can read the error. */
function isPreflight(request: Request, allow: string | undefined): boolean {
  if (request.method !== "OPTIONS") return false;
  return allow !== undefined || request.headers.has("access-control-request-method");
}

async function preflight(call: RequestContext, allow: string): Promise<HttpResult> {
  call.window = await peekAtAddress(call);
  return {
    status: 204,
    headers: preflightHeaders(call.request, allow),
    body: null,
    failureCode: null,
  };
}

function respond(call: RequestContext, answer: HttpResult): Response {
  const { ctx, endpoint, request } = call;
  const rates = call.window && rateHeaders(call.window);
  const headers = responseHeaders(ctx.settings.https, call.requestId, rates, answer.headers);
  if (endpoint?.deprecated) announceEnd(endpoint.deprecated, ctx.settings.baseUrl, headers);
  if (answer.body === null) {
    if (!answer.headers["Content-Type"]) delete headers["Content-Type"];
  } else if (request.method === "HEAD")
    headers["Content-Length"] = String(Buffer.byteLength(answer.body));
  const body = request.method === "HEAD" ? null : answer.body;
  const response = new FastResponse(body, {
    status: answer.status,
    statusText: STATUS_CODES[answer.status],
    headers,
  });
  return answer.stream ? withStream(response, answer.stream) : response;
}

/** RFC 9745 and RFC 8594. */
function announceEnd(
  end: NonNullable<Endpoint["deprecated"]>,
  baseUrl: string,
  headers: Record<string, string>,
): void {
  headers.Deprecation = `@${toUnixSeconds(end.since)}`;
  headers.Sunset = end.sunset.toUTCString();
  const link = `<${baseUrl}${end.link}>; rel="deprecation"; type="text/html"`;
  headers.Link = headers.Link ? `${headers.Link}, ${link}` : link;
}
