import { FastResponse } from "srvx";
import type { Context } from "#server/context";
import { authorizationPath } from "#server/machine-path";
import type { RequestOrigin } from "#server/rest/request-context";
import { preflightHeaders, responseHeaders } from "#server/rest/respond";
import { scopeNames } from "#server/scopes";
import { createFormEndpoint, type FormHandler } from "./form-endpoint";
import { redeemCode } from "./grants/authorization-code";
import { redeemRefreshToken } from "./grants/refresh-token";
import { oauthError } from "./oauth-error";
import { introspectToken, revokeToken } from "./tokens/token-acts";

/** A Map, because a name like `constructor` must find nothing. */
const grants: ReadonlyMap<string, FormHandler> = new Map([
  ["authorization_code", redeemCode],
  ["refresh_token", redeemRefreshToken],
]);

export const answerToken = createFormEndpoint({
  name: "token",
  crossOrigin: true,
  actFor: (form) => {
    const grantType = form.get("grant_type");
    if (grantType === undefined) throw oauthError("invalid_request", "The grant_type is missing.");
    const grant = grants.get(grantType);
    if (grant) return grant;
    throw oauthError(
      "unsupported_grant_type",
      "The grant_type must be authorization_code or refresh_token.",
    );
  },
  observe: ({ metrics }, form, error) => {
    const grantType = form?.get("grant_type") ?? "";
    metrics.tokenRequests
      .labels(grants.has(grantType) ? grantType : "other", error ?? "none")
      .inc();
  },
});

export const answerRevocation = createFormEndpoint({
  name: "revoke",
  crossOrigin: true,
  actFor: () => async (ctx, by, form) => {
    await revokeToken(ctx, by, { token: tokenOf(form) });
    // RFC 7009 section 2.2 leaves the body open; some libraries parse every answer as JSON.
    return {};
  },
});

/**
 * RFC 7662, for confidential applications and their own tokens. No cross-origin access: only a
 * server can authenticate.
 */
export const answerIntrospection = createFormEndpoint({
  name: "introspect",
  crossOrigin: false,
  // A suspended application's tokens are inactive, and a resource server must get that answer.
  evenSuspended: true,
  actFor: () => async (ctx, by, form) => introspectToken(ctx, by, { token: tokenOf(form) }),
});

function tokenOf(form: ReadonlyMap<string, string>): string {
  const token = form.get("token");
  if (token === undefined) throw oauthError("invalid_request", "The token is missing.");
  return token;
}

/** RFC 8414 section 3. Every instance answers the same bytes, for every host. */
export async function answerMetadata(
  ctx: Context,
  request: Request,
  peer: RequestOrigin,
): Promise<Response> {
  const { method } = request;
  const headers = responseHeaders(ctx.settings.https, peer.requestId ?? ctx.ids.request());
  if (method === "OPTIONS")
    return new FastResponse(null, {
      status: 204,
      headers: { ...headers, ...preflightHeaders(request, "GET, HEAD") },
    });
  if (method !== "GET" && method !== "HEAD")
    return new FastResponse(null, { status: 405, headers: { ...headers, Allow: "GET, HEAD" } });
  const { baseUrl, policyUrl, termsUrl } = ctx.settings;
  const body = JSON.stringify({
    ...serverMetadata(baseUrl),
    op_policy_uri: policyUrl,
    op_tos_uri: termsUrl,
  });
  return new FastResponse(method === "HEAD" ? null : body, { status: 200, headers });
}

/** The specification, Authentication 3 and 4. */
const authMethods = ["client_secret_basic", "none"];

/** RFC 8414 section 2. No registration endpoint, no OpenID Connect. */
export const serverMetadata = (baseUrl: string) => ({
  issuer: baseUrl,
  authorization_endpoint: `${baseUrl}${authorizationPath}`,
  token_endpoint: `${baseUrl}/oauth/token`,
  revocation_endpoint: `${baseUrl}/oauth/revoke`,
  introspection_endpoint: `${baseUrl}/oauth/introspect`,
  scopes_supported: scopeNames,
  response_types_supported: ["code"],
  response_modes_supported: ["query"],
  grant_types_supported: ["authorization_code", "refresh_token"],
  token_endpoint_auth_methods_supported: authMethods,
  revocation_endpoint_auth_methods_supported: authMethods,
  introspection_endpoint_auth_methods_supported: ["client_secret_basic"],
  code_challenge_methods_supported: ["S256"],
  authorization_response_iss_parameter_supported: true,
  prompt_values_supported: ["none", "login", "consent"],
  service_documentation: `${baseUrl}/docs`,
});
