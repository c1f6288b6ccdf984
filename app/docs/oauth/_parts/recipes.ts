import type { Language } from "../../../_ui/highlight";

interface Recipe {
  readonly id: string;
  readonly library: string;
  readonly file: string;
  readonly language: Language;
  /** What to mind. Text between backticks is code. */
  readonly mind: string;
}

/** Whole programs, one for each client library. The files are what the tests run. */
export const recipes: readonly Recipe[] = [
  {
    id: "openid-client",
    library: "openid-client",
    file: "openid-client.ts",
    language: "typescript",
    mind: "Version 6. It checks `state` and `iss`. Given a secret as text it sends it in the body: name `ClientSecretBasic`.",
  },
  {
    id: "oauth4webapi",
    library: "oauth4webapi",
    file: "oauth4webapi.ts",
    language: "typescript",
    mind: "Version 3. It checks `state` and `iss`, and runs wherever there is `fetch`, in browsers too.",
  },
  {
    id: "simple-oauth2",
    library: "simple-oauth2",
    file: "simple-oauth2.ts",
    language: "typescript",
    mind: 'Version 5. `authorizationMethod: "header"` keeps the secret out of the body. Compare `state` and `iss` yourself. Server-side applications only.',
  },
  {
    id: "auth-js",
    library: "Auth.js (NextAuth)",
    file: "auth-js.ts",
    language: "typescript",
    mind: 'A provider for version 5. Register `https://<your host>/api/auth/callback/adjutant`, or your own base path. `checks` must name `"state"`, which Auth.js leaves out by itself where there is PKCE.',
  },
  {
    id: "requests-oauthlib",
    library: "requests-oauthlib",
    file: "requests-oauthlib.py",
    language: "python",
    mind: "Version 2. `auth` puts the secret into the header. It takes a shorter `scope` for a fault unless told otherwise.",
  },
  {
    id: "authlib",
    library: "Authlib",
    file: "authlib.py",
    language: "python",
    mind: "Version 1. It does not look at a refusal: read `error` before you exchange, or it sends another grant.",
  },
  {
    id: "curl",
    library: "curl",
    file: "curl.sh",
    language: "shell",
    mind: "Version 7.76 or later, bash and openssl.",
  },
];

/** How libraries that send the secret in the body by themselves are told to use HTTP Basic. */
export const basicSwitches = [
  { library: "openid-client 6", how: "`ClientSecretBasic(secret)` as the fourth argument of `discovery`." },
  {
    library: "openid-client 5",
    how: "Nothing: Basic is its default. Give `Issuer.discover` the whole address of the metadata.",
  },
  {
    library: "Auth.js, NextAuth",
    how: '`client: { token_endpoint_auth_method: "client_secret_basic" }` in the provider.',
  },
  { library: "simple-oauth2", how: '`options: { authorizationMethod: "header" }`, which is its default.' },
  {
    library: "@badgateway/oauth2-client",
    how: '`authenticationMethod: "client_secret_basic"`; left out, it reads our metadata.',
  },
  {
    library: "passport-oauth2",
    how: 'Leave `clientSecret` out and set `customHeaders: { Authorization: "Basic …" }`. It then sends an empty `client_secret`, which counts as none.',
  },
  {
    library: "axios-oauth-client",
    how: 'Pass `""` as the secret, and an axios with `auth: { username: clientId, password: clientSecret }`.',
  },
  { library: "requests-oauthlib", how: "`auth=(client_id, client_secret)` in `fetch_token` and `refresh_token`." },
  { library: "Authlib", how: '`token_endpoint_auth_method="client_secret_basic"`, which is its default.' },
  { library: "golang.org/x/oauth2", how: "`AuthStyle: oauth2.AuthStyleInHeader` in the endpoint." },
  { library: "league/oauth2-client (PHP)", how: "`HttpBasicAuthOptionProvider` as the provider's `optionProvider`." },
] as const;
