import { FastResponse } from "srvx";
import { type ClientActor, createAnonymousActor, type RequestSource } from "#server/actor";
import { auditRefusal } from "#server/audit/audit-refusal";
import type { Context } from "#server/context";
import { isConnectionLost, serializeError } from "#server/platform/errors";
import { formMediaType, mediaType, readLimitedText } from "#server/platform/limited-text";
import { networkOf } from "#server/platform/peer-address";
import { retryAfterHeader } from "#server/platform/response-headers";
import type { RequestOrigin } from "#server/rest/request-context";
import { microsSince, observeRequest } from "#server/rest/request-log";
import { preflightHeaders, responseHeaders } from "#server/rest/respond";
import {
  authenticateClient,
  type Credentials,
  claimedClientId,
  readBasicAuth,
  readCredentials,
} from "./clients/authenticate-client";
import type { RegisteredClient } from "./clients/store";
import {
  isOAuthError,
  type OAuthError,
  type OAuthErrorWord,
  oauthError,
  oauthRefusal,
} from "./oauth-error";

export type FormHandler = (
  ctx: Context,
  by: ClientActor,
  form: ReadonlyMap<string, string>,
) => Promise<object>;

interface FormEndpoint {
  readonly name: "token" | "revoke" | "introspect";
  readonly crossOrigin: boolean;
  /** Accepts suspended applications, which other endpoints refuse. */
  readonly evenSuspended?: true;
  readonly observe?: (
    ctx: Context,
    form: Form | undefined,
    error: OAuthErrorWord | undefined,
  ) => void;
  /** Called before client authentication. @throws OAuthError, as the returned handler does */
  readonly actFor: (form: ReadonlyMap<string, string>) => FormHandler;
}

/** Refusals have the shape of RFC 6749 section 5.2. */
export const createFormEndpoint =
  (endpoint: FormEndpoint) =>
  async (ctx: Context, request: Request, peer: RequestOrigin): Promise<Response> => {
    const started = performance.now();
    const requestId = peer.requestId ?? ctx.ids.request();
    const userAgent = request.headers.get("user-agent");
    const arrived: Arrived = {
      request,
      from: { requestId, address: peer.address, userAgent },
      form: undefined,
      known: undefined,
    };
    const headers = headersOf(ctx, endpoint, requestId);
    let status = 204;
    try {
      if (request.method === "OPTIONS" && endpoint.crossOrigin)
        return new FastResponse(null, {
          status,
          headers: { ...headers, ...preflightHeaders(request, "POST") },
        });
      const answer = await act(ctx, endpoint, arrived, peer);
      status = 200;
      endpoint.observe?.(ctx, arrived.form, undefined);
      return new FastResponse(JSON.stringify(answer), { status, headers });
    } catch (thrown) {
      const error = isOAuthError(thrown) ? thrown : unexpectedError(ctx, thrown, arrived.from);
      ({ status } = error);
      endpoint.observe?.(ctx, arrived.form, error.word);
      const body = request.method === "HEAD" ? null : JSON.stringify(bodyOf(error));
      return new FastResponse(body, { status, headers: { ...headers, ...headersOfError(error) } });
    } finally {
      const { method } = request;
      const clientId = arrived.known?.clientId ?? null;
      observeRequest(ctx, {
        requestId,
        method,
        status,
        clientId,
        route: `/oauth/${endpoint.name}`,
        micros: microsSince(started),
      });
    }
  };

interface Arrived {
  readonly request: Request;
  readonly from: RequestSource;
  form: Form | undefined;
  known: RegisteredClient | undefined;
}

/** Records each refusal for the developer, even of an unreadable body. */
async function act(
  ctx: Context,
  endpoint: FormEndpoint,
  arrived: Arrived,
  { insecure }: RequestOrigin,
): Promise<object> {
  const { request, from } = arrived;
  const { headers } = request;
  let credentials: Credentials | undefined;
  try {
    if (request.method !== "POST")
      throw oauthError("invalid_request", "The method must be POST.", { status: 405 });
    if (insecure) throw oauthError("invalid_request", "This endpoint must be called over https.");
    const form = await readForm(request);
    arrived.form = form;
    const actOn = endpoint.actFor(form);
    credentials = readCredentials(headers, form);
    const known = await ctx.tokens.findClient(credentials.clientId);
    arrived.known = known;
    const client = authenticateClient(ctx, known, credentials);
    if (client.suspended && !endpoint.evenSuspended) throw oauthRefusal("applicationSuspended");
    const by = { kind: "client", client, from } as const;
    const settle = await chargeClient(ctx, by);
    const answer = await actOn(ctx, by, form);
    await settle();
    return answer;
  } catch (thrown) {
    if (!isOAuthError(thrown)) throw thrown;
    const form = arrived.form ?? parseForm("");
    const claimed = claimedClientId(headers, form) ?? "";
    const client = credentials ? arrived.known : await ctx.tokens.findClient(claimed);
    const sent = describeCredentials(headers, form);
    throw await refusalOf(ctx, thrown, { endpoint: endpoint.name, client, sent, from });
  }
}

function unexpectedError(ctx: Context, thrown: unknown, { requestId }: RequestSource): OAuthError {
  ctx.log.error({ requestId, error: serializeError(thrown) }, "a call to an OAuth endpoint failed");
  return isConnectionLost(thrown)
    ? oauthError("server_error", "The service is not available at the moment.", { status: 503 })
    : oauthError(
        "server_error",
        "Something went wrong on our side. Quote the X-Request-Id when you report it.",
      );
}

const bodyOf = (error: OAuthError) => ({ error: error.word, error_description: error.message });

/** RFC 6749 section 5.1, for HTTP/1.0 caches. */
const legacyCaches = { Pragma: "no-cache" };

function headersOf(
  ctx: Context,
  endpoint: FormEndpoint,
  requestId: string,
): Record<string, string> {
  const headers = responseHeaders(ctx.settings.https, requestId, legacyCaches);
  if (endpoint.crossOrigin) return headers;
  delete headers["Access-Control-Allow-Origin"];
  delete headers["Access-Control-Expose-Headers"];
  return headers;
}

function headersOfError({ status, retryAfter }: OAuthError): Record<string, string> {
  const headers: Record<string, string> = { ...retryAfterHeader(status, retryAfter) };
  // RFC 9110 section 15.5.6: a 405 names the allowed methods.
  if (status === 405) headers.Allow = "POST";
  // RFC 6749 section 5.2: a 401 names the scheme for client authentication.
  if (status === 401) headers["WWW-Authenticate"] = 'Basic realm="adjutant", charset="UTF-8"';
  return headers;
}

const tooMany = (retryAfter: number): OAuthError =>
  oauthError("slow_down", "Too many requests. Wait until the minute ends.", { retryAfter });

/**
 * Anyone can send a public client's id and succeed, for example at a revocation (RFC 7009 section
 * 2.2), so a public client's window is per address.
 * @returns a function that charges a public client after success
 * @throws slow_down
 */
async function chargeClient(
  ctx: Context,
  { client: { kind, clientId }, from }: ClientActor,
): Promise<() => Promise<void>> {
  const window = { policy: "client", subject: clientId, limit: ctx.settings.rates.client };
  if (kind === "confidential") {
    const state = await ctx.limiter.take(window);
    if (!state.allowed) throw tooMany(state.reset);
    return async () => {};
  }
  const own = { ...window, subject: `${networkOf(from.address)} ${clientId}` };
  const state = await ctx.limiter.peek(own);
  if (state.remaining === 0) throw tooMany(state.reset);
  return async () => {
    await ctx.limiter.take(own);
  };
}

const reasonOf = ({ cause, message }: OAuthError): string =>
  typeof cause === "string" ? cause : message;

/**
 * Failures count per address and client. The limit refuses no valid request, so guessing cannot
 * lock out a client.
 */
async function refusalOf(
  ctx: Context,
  error: OAuthError,
  at: {
    readonly endpoint: string;
    readonly client: RegisteredClient | undefined;
    readonly sent: ReturnType<typeof describeCredentials>;
    readonly from: RequestSource;
  },
): Promise<OAuthError> {
  const { endpoint, client, sent, from } = at;
  let told = error;
  if (error.word !== "slow_down") {
    const state = await ctx.limiter.take({
      policy: "client-failures",
      // Made-up client ids share one window, to bound the limiter's memory.
      subject: `${networkOf(from.address)} ${client?.clientId ?? "unknown"}`,
      limit: ctx.settings.rates.clientFailures,
    });
    if (!state.allowed) told = tooMany(state.reset);
  }
  // Anyone can name a client, so only an authenticated client is the actor.
  const proved = client?.kind === "confidential" && error.word !== "invalid_client";
  const by = proved ? ({ kind: "client", client, from } as const) : createAnonymousActor(from);
  ctx.defer(() =>
    auditRefusal(ctx, by, "token_request.refused", {
      clientId: client?.clientId ?? null,
      details: { endpoint, error: told.word, description: reasonOf(told), ...sent },
    }),
  );
  return told;
}

const protocolFields = [
  "grant_type",
  "client_id",
  "client_secret",
  "code",
  "code_verifier",
  "redirect_uri",
  "refresh_token",
  "scope",
  "token",
  "token_type_hint",
];

/** Leaves out values, and unknown names, which may be anything. */
function describeCredentials(headers: Headers, form: Form) {
  return {
    authorization: describeAuthorization(headers.get("authorization")),
    fields: protocolFields.filter((name) => form.has(name)),
    emptyFields: protocolFields.filter((name) => form.empty.includes(name)),
  };
}

function describeAuthorization(header: string | null) {
  if (header === null) return "none";
  if (!/^basic(?: |$)/i.test(header)) return "other-scheme";
  const basic = readBasicAuth(header);
  if (!basic) return "basic-malformed";
  return basic.secret === "" ? "basic-empty-secret" : "basic";
}

export const maxBodyBytes = 16_384;

/** A parameter without a value is absent (RFC 6749 section 3.2). */
interface Form extends ReadonlyMap<string, string> {
  readonly empty: readonly string[];
}

/** @throws invalid_request for another content type, a large body or a repeated parameter */
export async function readForm(request: Request): Promise<Form> {
  if (mediaType(request.headers) !== formMediaType) throw oauthRefusal("noForm");
  // An encoded body would be read as plain text.
  if ((request.headers.get("content-encoding") ?? "identity").trim().toLowerCase() !== "identity")
    throw oauthError("invalid_request", "The body must be sent without a Content-Encoding.", {
      status: 415,
    });
  return parseForm(await readText(request));
}

/** @throws invalid_request for a repeated parameter (RFC 6749 section 3.2) or an array */
export function parseForm(text: string): Form {
  const seen = new Set<string>();
  const form = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(text)) {
    if (seen.has(name)) throw oauthError("invalid_request", "A parameter is given more than once.");
    if (name.endsWith("]"))
      throw oauthError("invalid_request", "Parameters cannot be arrays or objects.");
    seen.add(name);
    if (value !== "") form.set(name, value);
  }
  return Object.assign(form, { empty: [...seen].filter((name) => !form.has(name)) });
}

async function readText(request: Request): Promise<string> {
  const length = request.headers.get("content-length");
  if (length !== null) {
    if (Number(length) > maxBodyBytes) throw tooLarge();
    // The HTTP server reads no more than the content length.
    return request.text().catch(endedEarly);
  }
  const text = await readLimitedText(request, maxBodyBytes).catch(endedEarly);
  if (text === undefined) throw tooLarge();
  return text;
}

/** The client disconnected, which is no failure of the server. */
function endedEarly(): never {
  throw oauthError("invalid_request", "The request's body ended early.");
}

const tooLarge = () =>
  oauthError("invalid_request", "The body is larger than 16 KB.", { status: 413 });
