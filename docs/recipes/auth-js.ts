/** A provider for Auth.js 5: `providers: [adjutant({ … })]`. */
export const adjutant = (registration: {
  baseUrl: string;
  clientId: string;
  clientSecret: string;
}) => ({
  id: "adjutant",
  name: "Adjutant",
  // Not "oidc": there is no ID token, the player comes from the API.
  type: "oauth" as const,
  issuer: registration.baseUrl,
  clientId: registration.clientId,
  clientSecret: registration.clientSecret,
  authorization: { url: `${registration.baseUrl}/oauth/authorize`, params: { scope: "identity" } },
  token: `${registration.baseUrl}/oauth/token`,
  userinfo: `${registration.baseUrl}/api/v1/user`,
  // Adjutant wants a state always; by itself Auth.js sends PKCE alone.
  checks: ["pkce" as const, "state" as const],
  client: { token_endpoint_auth_method: "client_secret_basic" },
  profile: ({ tid, username }: { tid: number; username: string }) => ({
    id: String(tid),
    name: username,
  }),
});
