import { FastResponse } from "srvx";
import type { Origin } from "#server/audit/audit";
import { auditRefusal } from "#server/audit/audit-refusal";
import type { Context } from "#server/context";
import { isConnectionLost } from "#server/platform/connection-lost";
import { describeError } from "#server/platform/errors";
import { networkOf } from "#server/platform/peer-address";
import { retryAfterHeader } from "#server/platform/response-headers";
import type { RequestOrigin } from "#server/rest/request-context";
import { preflightHeaders, responseHeaders } from "#server/rest/respond";
import {
  authenticateClient,
  type Credentials,
  claimedClientId,
  describeCredentials,
  readCredentials,
  type SentCredentials,
} from "./clients/authenticate-client";
import type { RegisteredClient } from "./clients/client";
import { type Form, parseForm, readForm } from "./form-body";
import { isOAuthError, type OAuthError, type OAuthErrorWord, oauthError } from "./oauth-error";

/** What an endpoint for authenticated clients does with a form. */
export interface FormEndpoint {
  readonly name: "token" | "revoke" | "introspect";
  /** Whether scripts on other sites may call it. */
  readonly crossOrigin: boolean;
  /** Checks that come before client authentication. @throws OAuthError */
  readonly precheck?: (form: Form) => void;
  /** Whether a suspended application is answered; elsewhere it is told once it has authenticated. */
  readonly evenSuspended?: true;
  /** Called with what came of a request; without a word where it succeeded. */
  readonly observe?: (
    ctx: Context,
    form: Form | undefined,
    error: OAuthErrorWord | undefined,
  ) => void;
  /** @returns the JSON answer. @throws OAuthError */
  readonly act: (ctx: Context, call: FormCall) => Promise<object>;
}

export interface FormCall {
  readonly client: RegisteredClient;
  readonly form: Form;
  readonly origin: Origin;
}

/**
 * Answers one request to such an endpoint: method, body, client, limits, act; and every refusal in the one shape of
 * RFC 6749 section 5.2.
 */
export async function answerForm(
  ctx: Context,
  endpoint: FormEndpoint,
  { request, peer }: { readonly request: Request; readonly peer: RequestOrigin },
): Promise<Response> {
  const started = performance.now();
  const requestId = peer.requestId ?? ctx.ids.request();
  const arrived: Arrived = {
    request,
    origin: { requestId, address: peer.address },
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
    const error = isOAuthError(thrown) ? thrown : unexpectedError(ctx, thrown, arrived.origin);
    ({ status } = error);
    endpoint.observe?.(ctx, arrived.form, error.word);
    const body = request.method === "HEAD" ? null : JSON.stringify(bodyOf(error));
    return new FastResponse(body, { status, headers: { ...headers, ...headersOfError(error) } });
  } finally {
    const { method } = request;
    const clientId = arrived.known?.clientId ?? null;
    const micros = Math.round((performance.now() - started) * 1_000);
    ctx.observeRequest({
      requestId,
      method,
      route: `/oauth/${endpoint.name}`,
      status,
      clientId,
      micros,
    });
  }
}

/** One request. What is learnt of it is written here, for what is measured. */
interface Arrived {
  readonly request: Request;
  readonly origin: Origin;
  form: Form | undefined;
  /** The application that it names, where there is one. */
  known: RegisteredClient | undefined;
}

/** Whatever is refused here, its developer reads of it: also a body that is no form. */
async function act(
  ctx: Context,
  endpoint: FormEndpoint,
  arrived: Arrived,
  { insecure }: RequestOrigin,
): Promise<object> {
  const { request, origin } = arrived;
  const { headers } = request;
  let credentials: Credentials | undefined;
  try {
    if (request.method !== "POST")
      throw oauthError("invalid_request", "The method must be POST.", { status: 405 });
    if (insecure) throw oauthError("invalid_request", "This endpoint must be called over https.");
    const form = await readForm(request);
    arrived.form = form;
    endpoint.precheck?.(form);
    credentials = readCredentials(headers, form);
    const known = await ctx.findClient(credentials.clientId);
    arrived.known = known;
    const client = authenticateClient(ctx, known, credentials);
    if (client.suspended && !endpoint.evenSuspended)
      throw oauthError("unauthorized_client", "The application is suspended.");
    const settle = await chargeClient(ctx, client, origin);
    const answer = await endpoint.act(ctx, { client, form, origin });
    await settle();
    return answer;
  } catch (thrown) {
    if (!isOAuthError(thrown)) throw thrown;
    const form = arrived.form ?? parseForm("");
    const client = credentials
      ? arrived.known
      : await claimedClient(ctx, claimedClientId(headers, form));
    const sent = describeCredentials(headers, form);
    throw await refusalOf(ctx, thrown, { endpoint: endpoint.name, client, sent, origin });
  }
}

const claimedClient = async (ctx: Context, clientId: string | undefined) =>
  clientId === undefined ? undefined : ctx.findClient(clientId);

/** An unexpected error: the caller learns the request id, the log the cause. */
function unexpectedError(ctx: Context, thrown: unknown, { requestId }: Origin): OAuthError {
  ctx.log.error({ requestId, error: describeError(thrown) }, "a call to an OAuth endpoint failed");
  return isConnectionLost(thrown)
    ? oauthError("server_error", "The service is not available at the moment.", { status: 503 })
    : oauthError(
        "server_error",
        "Something went wrong on our side. Quote the X-Request-Id when you report it.",
      );
}

const bodyOf = (error: OAuthError) => ({ error: error.word, error_description: error.message });

/** RFC 6749 section 5.1 wants it beside `Cache-Control`, for caches of HTTP/1.0. */
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
  // RFC 9110 section 15.5.6: a 405 names the methods that are allowed.
  if (status === 405) headers.Allow = "POST";
  // RFC 6749 section 5.2: the scheme that the client can authenticate with.
  if (status === 401) headers["WWW-Authenticate"] = 'Basic realm="adjutant", charset="UTF-8"';
  return headers;
}

const tooMany = (retryAfter: number): OAuthError =>
  oauthError("slow_down", "Too many requests. Wait until the minute ends.", { retryAfter });

/**
 * Charges a request to the client's own window. Anybody can send the id of a public client, so such a request is charged
 * when it succeeded, by the returned function, and to the address that it came from: a revocation succeeds whatever the token
 * (RFC 7009 section 2.2), and nobody can use up a window that is not theirs.
 * @throws slow_down when the window is used up
 */
export async function chargeClient(
  ctx: Context,
  { kind, clientId }: RegisteredClient,
  origin: Origin,
): Promise<() => Promise<void>> {
  const window = { policy: "client", subject: clientId, limit: ctx.settings.rates.client };
  if (kind === "confidential") {
    const state = await ctx.limiter.take(window);
    if (!state.allowed) throw tooMany(state.reset);
    return async () => {};
  }
  const own = { ...window, subject: `${networkOf(origin.address)} ${clientId}` };
  const state = await ctx.limiter.peek(own);
  if (state.remaining === 0) throw tooMany(state.reset);
  return async () => {
    await ctx.limiter.take(own);
  };
}

/** The sentence for the developer: the private cause where it says more than the public one. */
const reasonOf = ({ cause, message }: OAuthError): string =>
  typeof cause === "string" ? cause : message;

/**
 * The refusal of a failed request. Failures count for (address, client); beyond the limit they are told to slow down. Of those that
 * are, as many again are written to the audit log. Requests that succeed never come here, so that guessing locks nobody out.
 */
export async function refusalOf(
  ctx: Context,
  error: OAuthError,
  at: {
    readonly endpoint: string;
    readonly client: RegisteredClient | undefined;
    readonly sent: SentCredentials;
    readonly origin: Origin;
  },
): Promise<OAuthError> {
  const { endpoint, client, sent, origin } = at;
  // Made-up client ids share one window, or each would take memory of ours.
  const window = {
    subject: `${networkOf(origin.address)} ${client?.clientId ?? "unknown"}`,
    limit: ctx.settings.rates.clientFailures,
  };
  let told = error;
  if (error.word !== "slow_down") {
    const state = await ctx.limiter.take({ policy: "client-failures", ...window });
    if (!state.allowed) told = tooMany(state.reset);
  }
  if (told.word === "slow_down") {
    const noted = await ctx.limiter.take({ policy: "slow-downs-noted", ...window });
    if (!noted.allowed) return told;
  }
  // Anybody may name a client: only one that proved itself has done anything.
  const proved = client?.kind === "confidential" && error.word !== "invalid_client";
  ctx.defer(() =>
    auditRefusal(ctx, {
      act: "token-request-failed",
      actor: proved ? `client:${client.clientId}` : "anonymous",
      clientId: client?.clientId ?? null,
      origin,
      details: { endpoint, error: told.word, description: reasonOf(told), ...sent },
    }),
  );
  return told;
}
