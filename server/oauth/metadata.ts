import { scopeNames } from "#server/scopes";

/** Client authentication that the token and revocation endpoints accept (the specification, Authentication 3 and 4). */
const authMethods = ["client_secret_basic", "none"];

/**
 * The authorization server metadata (RFC 8414 section 2). Built from the base URL alone, so that every instance and every
 * `Host` header gets the same bytes. There is no registration endpoint, and this is not OpenID Connect.
 */
export const serverMetadata = (baseUrl: string) => ({
  issuer: baseUrl,
  authorization_endpoint: `${baseUrl}/oauth/authorize`,
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
