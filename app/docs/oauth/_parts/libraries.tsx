import { ChevronDown } from "lucide-react";
import { CodeBlock, type Language } from "#app/_ui/code-block.tsx";
import { DocSection } from "../../_parts/doc-page";
import { readSamples } from "../../_parts/read-sample";
import { NamedTable } from "../../_parts/tables";
import { Prose, WithCode } from "../../_parts/with-code";

/** Folded by default. */
export async function Libraries() {
  const programs = await readSamples("recipes", recipes);
  return (
    <>
      <DocSection id="libraries" title="With your library">
        <Prose>
          Each example does the same five things: ask, return (approved or denied), call, refresh,
          revoke. Our tests run exactly this code. Copy one and fill in the values from your
          application's page.
        </Prose>
        {programs.map(({ id, library, file, language, mind, code }) => (
          <details
            key={id}
            id={id}
            className="group min-w-0 scroll-mt-6 rounded-card border border-line"
          >
            <summary className="flex cursor-pointer items-center justify-between rounded-card px-4 py-3 font-medium hover:bg-accent-wash">
              {library}
              <ChevronDown
                className="size-4 text-ink-faint group-open:rotate-180"
                aria-hidden="true"
              />
            </summary>
            <div className="grid grid-cols-[minmax(0,1fr)] gap-3 border-t border-line p-4">
              <p className="text-sm text-ink-soft">
                <WithCode text={mind} />
              </p>
              <CodeBlock language={language} title={file} code={code} />
            </div>
          </details>
        ))}
      </DocSection>
      <DocSection id="basic" title="Libraries that send the secret in the body">
        <Prose>
          The secret goes into the header: `client_secret_basic`. A library that writes
          `client_secret` into the body gets 401 `invalid_client` until it is configured otherwise.
          Check the refresh too: some send the secret in the body there whatever the exchange does.
          An empty field counts as none.
        </Prose>
        <NamedTable
          caption="How to set libraries to HTTP Basic"
          header="Library"
          rows={basicSwitches.map(({ library, how }) => ({ name: library, how }))}
          columns={[{ header: "Setting", text: ({ how }) => how }]}
        />
      </DocSection>
    </>
  );
}

interface Recipe {
  readonly id: string;
  readonly library: string;
  readonly file: string;
  readonly language: Language;
  /** Backticks mark code. */
  readonly mind: string;
}

/** The tests run these files. */
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
    file: "adjutant_requests_oauthlib.py",
    language: "python",
    mind: "Version 2. `auth` puts the secret into the header. It takes a shorter `scope` for a fault unless told otherwise.",
  },
  {
    id: "authlib",
    library: "Authlib",
    file: "adjutant_authlib.py",
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

/** HTTP Basic settings of libraries that send the secret in the body by default. */
const basicSwitches = [
  {
    library: "openid-client 6",
    how: "`ClientSecretBasic(secret)` as the fourth argument of `discovery`. It throws a refused secret as `WWWAuthenticateChallengeError`, “server responded with a challenge”, and a dead token at the API alike: what we say stands in `await error.response.json()`.",
  },
  {
    library: "openid-client 5",
    how: "Nothing: Basic is its default. Give `Issuer.discover` the whole address of the metadata.",
  },
  {
    library: "Auth.js, NextAuth",
    how: '`client: { token_endpoint_auth_method: "client_secret_basic" }` in the provider.',
  },
  {
    library: "Auth.js, its guide to refreshing",
    how: "The `fetch` in the guide puts `client_secret` into the body: send `Authorization: Basic …` instead.",
  },
  {
    library: "better-auth",
    how: '`authentication: "basic"` in the config of `genericOAuth`, and a `getUserInfo` that reads `/api/v1/user` and gives `id` and an `email`: our answer has neither under these names.',
  },
  {
    library: "MCP SDK (TypeScript)",
    how: "Nothing for the secret: it reads our metadata. Give your provider a `state()`: without it no `state` is sent, and the request is refused. Compare it yourself when the player comes back.",
  },
  {
    library: "simple-oauth2",
    how: '`options: { authorizationMethod: "header" }`, which is its default.',
  },
  {
    library: "@badgateway/oauth2-client",
    how: '`authenticationMethod: "client_secret_basic"`; left out, it reads our metadata.',
  },
  {
    library: "passport-oauth2",
    how: 'Leave `clientSecret` out and set `customHeaders: { Authorization: "Basic …" }`. It then sends an empty `client_secret`, which counts as none. Call `strategy._oauth2.useAuthorizationHeaderforGET(true)` as well, or its `get` sends that header, with your secret, to the API in place of the token.',
  },
  {
    library: "passport-oauth2-refresh",
    how: "It always puts the strategy's secret into the body. Set the strategy up as for passport-oauth2: its `customHeaders` are taken over.",
  },
  {
    library: "axios-oauth-client",
    how: 'Pass `""` as the secret, and an axios with `auth: { username: clientId, password: clientSecret }`.',
  },
  {
    library: "requests-oauthlib",
    how: "`auth=(client_id, client_secret)` in `fetch_token` and `refresh_token`.",
  },
  {
    library: "requests-oauthlib, automatic refresh",
    how: "`auto_refresh_kwargs` goes into the body: leave `client_secret` out of it, and call `refresh_token` with `auth` yourself when `TokenExpiredError` is raised.",
  },
  {
    library: "requests-oauthlib, public application",
    how: "`include_client_id=True` in `fetch_token`, and no `auth`. Without it the library sends Basic with an empty secret, which counts as none.",
  },
  {
    library: "Authlib",
    how: '`token_endpoint_auth_method="client_secret_basic"`, which is its default.',
  },
  {
    library: "golang.org/x/oauth2",
    how: "`AuthStyle: oauth2.AuthStyleInHeader` in the endpoint. Left out, the library asks again with the secret in the body whenever the first exchange is refused, and shows you that second answer: “A client_secret in the body is not accepted”, whatever was wrong, a mistyped secret too. It keeps the style only once an exchange succeeded.",
  },
  {
    library: "OmniAuth (Ruby)",
    how: "`client_options: { auth_scheme: :basic_auth }`, the default from version 2 of the gem oauth2 on, and `option :pkce, true`. Define `callback_url` as `full_host + script_name + callback_path`: its own adds the query, and the `redirect_uri` no longer fits.",
  },
  {
    library: "Net::OAuth2 (Perl)",
    how: "`secrets_in_params => 0`. Its default sends the secret in the header and in the body, which is `invalid_request`. Give it a `state`, and compare it yourself.",
  },
  {
    library: "league/oauth2-client (PHP)",
    how: "`HttpBasicAuthOptionProvider` as the provider's `optionProvider`.",
  },
] as const;
