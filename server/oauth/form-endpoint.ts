import { FastResponse } from "srvx";
import type { Origin } from "#server/audit/audit";
import type { Context } from "#server/context";
import { isConnectionLost } from "#server/platform/connection-lost";
import { describeError } from "#server/platform/describe-error";
import { retryAfterHeader } from "#server/platform/retry-after";
import type { Peer } from "#server/rest/request-context";
import { preflightHeaders, responseHeaders } from "#server/rest/respond";
import { chargeClient, refusalOf } from "./client-limits";
import { authenticateClient } from "./clients/authenticate-client";
import type { RegisteredClient } from "./clients/client";
import { type Credentials, claimedClientId, describeCredentials, readCredentials } from "./clients/credentials";
import { type Form, readForm } from "./form-body";
import { isOAuthError, type OAuthError, oauthError } from "./oauth-error";

/** What an endpoint for authenticated clients does with a form. */
export interface FormEndpoint {
  readonly name: "token" | "revoke" | "introspect";
  /** Whether scripts on other sites may call it. */
  readonly crossOrigin: boolean;
  /** What must hold before the client is asked who it is. @throws OAuthError */
  readonly precheck?: (form: Form) => void;
  /** Whether a suspended application is answered; elsewhere it is told once it has authenticated. */
  readonly evenSuspended?: true;
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
  { request, peer }: { readonly request: Request; readonly peer: Peer },
): Promise<Response> {
  const origin = { requestId: ctx.ids.request(), address: peer.address };
  const headers = headersOf(ctx, endpoint, origin.requestId);
  if (request.method === "OPTIONS" && endpoint.crossOrigin)
    return new FastResponse(null, { status: 204, headers: { ...headers, ...preflightHeaders("POST") } });
  try {
    if (request.method !== "POST") throw oauthError("invalid_request", "The method must be POST.", { status: 405 });
    if (peer.insecure) throw oauthError("invalid_request", "This endpoint must be called over https.");
    const answer = await act(ctx, endpoint, { form: await readForm(request), headers: request.headers, origin });
    return new FastResponse(JSON.stringify(answer), { status: 200, headers });
  } catch (thrown) {
    const error = isOAuthError(thrown) ? thrown : surprise(ctx, thrown, origin);
    const body = request.method === "HEAD" ? null : JSON.stringify(bodyOf(error));
    return new FastResponse(body, { status: error.status, headers: { ...headers, ...headersOfError(error) } });
  }
}

interface Arrived {
  readonly form: Form;
  readonly headers: Headers;
  readonly origin: Origin;
}

async function act(ctx: Context, endpoint: FormEndpoint, { form, headers, origin }: Arrived): Promise<object> {
  let credentials: Credentials | undefined;
  let known: RegisteredClient | undefined;
  try {
    endpoint.precheck?.(form);
    credentials = readCredentials(headers, form);
    known = await ctx.findClient(credentials.clientId);
    const client = authenticateClient(ctx, known, credentials);
    if (client.suspended && !endpoint.evenSuspended)
      throw oauthError("unauthorized_client", "The application is suspended.");
    const settle = await chargeClient(ctx, client, origin);
    const answer = await endpoint.act(ctx, { client, form, origin });
    await settle();
    return answer;
  } catch (thrown) {
    if (!isOAuthError(thrown)) throw thrown;
    const client = credentials ? known : await claimedClient(ctx, claimedClientId(headers, form));
    const sent = describeCredentials(headers, form);
    throw await refusalOf(ctx, thrown, { endpoint: endpoint.name, client, sent, origin });
  }
}

const claimedClient = async (ctx: Context, clientId: string | undefined) =>
  clientId === undefined ? undefined : ctx.findClient(clientId);

/** What nobody foresaw: the caller learns the request id, the log the cause. */
function surprise(ctx: Context, thrown: unknown, { requestId }: Origin): OAuthError {
  ctx.log.error({ requestId, error: describeError(thrown) }, "a call to an OAuth endpoint failed");
  return isConnectionLost(thrown)
    ? oauthError("server_error", "The service is not available at the moment.", { status: 503 })
    : oauthError("server_error", "Something went wrong on our side. Quote the X-Request-Id when you report it.");
}

const bodyOf = (error: OAuthError) => ({ error: error.word, error_description: error.message });

/** RFC 6749 section 5.1 wants it beside `Cache-Control`, for caches of HTTP/1.0. */
const legacyCaches = { Pragma: "no-cache" };

function headersOf(ctx: Context, endpoint: FormEndpoint, requestId: string): Record<string, string> {
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
