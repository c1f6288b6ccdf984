import type { ReactNode } from "react";
import { CodeTabs, type Language } from "#app/_ui/code-block.tsx";
import { hostedCallbackUri } from "#server/oauth/redirect-uri";

interface SampledApplication {
  readonly baseUrl: string;
  readonly clientId: string;
  readonly kind: "confidential" | "public";
  readonly redirectUri: string;
  readonly scopes: readonly string[];
}

interface Snippet {
  readonly label: string;
  readonly language: Language;
  readonly code: string;
}

type ConnectProps = SampledApplication & {
  /** A shorter way to a first token. */
  children?: ReactNode;
};

export function ConnectSamples({ children, ...subject }: ConnectProps) {
  return (
    <section aria-labelledby="connect" className="min-w-0">
      <h2 id="connect" className="text-base font-semibold">
        Connect
      </h2>
      <p className="mb-3 text-sm text-ink-soft">
        The whole flow. curl pastes into a shell as one block and asks for the code; the others are
        for your application.
      </p>
      {children}
      <CodeTabs label="Connect" samples={clientSnippets(subject)} />
    </section>
  );
}

/** Samples of the whole flow, which read a secret from the environment. */
export function clientSnippets(subject: SampledApplication): Snippet[] {
  const { baseUrl } = subject;
  const options = isPlainHttp(baseUrl) ? ", undefined, undefined, options" : "";
  return [
    { label: "curl", language: "shell", code: curl(subject, userCall(baseUrl)) },
    {
      label: "oauth4webapi",
      language: "typescript",
      code: `${oauth4webapi(subject)}
const user = await oauth.protectedResourceRequest(
  tokens.access_token, "GET", new URL("/api/v1/user", issuer)${options},
);`,
    },
    {
      label: "openid-client",
      language: "typescript",
      code: `${openidClient(subject)}
const url = new URL("${baseUrl}/api/v1/user");
const user = await client.fetchProtectedResource(config, tokens.access_token, url, "GET");`,
    },
    {
      label: "Python",
      language: "python",
      code: `${python(subject)}\nuser = session.get("${baseUrl}/api/v1/user").json()`,
    },
  ];
}

/**
 * Samples of the flow up to one call.
 * @param call in each language, with the token as `$ACCESS_TOKEN`, `accessToken` and `access_token`
 */
export function callSnippets(
  subject: SampledApplication,
  call: { curl: string; typescript: string; python: string },
): Snippet[] {
  return [
    { label: "curl", language: "shell", code: curl(subject, call.curl) },
    {
      label: "TypeScript",
      language: "typescript",
      code: `${oauth4webapi(subject)}\nconst accessToken = tokens.access_token;\n${call.typescript}`,
    },
    {
      label: "Python",
      language: "python",
      code: `${python(subject)}\naccess_token = session.token["access_token"]\n${call.python}`,
    },
  ];
}

/** The libraries refuse plain http by default; it is only used on localhost. */
const isPlainHttp = (baseUrl: string) => baseUrl.startsWith("http:");

function oauth4webapi({
  baseUrl,
  clientId,
  kind,
  redirectUri,
  scopes,
}: SampledApplication): string {
  const http = isPlainHttp(baseUrl);
  const options = http ? ", options" : "";
  return `import * as oauth from "oauth4webapi";
${http ? "\n// Plain http, on your own machine only.\nconst options = { [oauth.allowInsecureRequests]: true };" : ""}
const issuer = new URL("${baseUrl}");
const server = await oauth
  .discoveryRequest(issuer, { algorithm: "oauth2"${http ? ", ...options" : ""} })
  .then((response) => oauth.processDiscoveryResponse(issuer, response));
const client = { client_id: "${clientId}" };
const proof = ${kind === "public" ? "oauth.None()" : "oauth.ClientSecretBasic(process.env.CLIENT_SECRET)"};
const redirectUri = "${redirectUri}";

// 1. Send the player to \`ask\`. Keep verifier and state in their session.
const verifier = oauth.generateRandomCodeVerifier();
const state = oauth.generateRandomState();
const ask = new URL(server.authorization_endpoint);
ask.search = new URLSearchParams({
  response_type: "code",
  client_id: client.client_id,
  redirect_uri: redirectUri,
  scope: "${scopes.join(" ")}",
  state,
  code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
  code_challenge_method: "S256",
}).toString();

// 2. They come back to the redirect URI: \`back\` is the full address they came to.
const answer = oauth.validateAuthResponse(server, client, back, state);
const reply = await oauth.authorizationCodeGrantRequest(
  server, client, proof, answer, redirectUri, verifier${options},
);
const tokens = await oauth.processAuthorizationCodeResponse(server, client, reply);

// 3. Call.`;
}

function openidClient({
  baseUrl,
  clientId,
  kind,
  redirectUri,
  scopes,
}: SampledApplication): string {
  const execute = isPlainHttp(baseUrl)
    ? ",\n  // Plain http, on your own machine only.\n  execute: [client.allowInsecureRequests],\n"
    : " ";
  const proof =
    kind === "public" ? "client.None()" : "client.ClientSecretBasic(process.env.CLIENT_SECRET)";
  return `import * as client from "openid-client";

const config = await client.discovery(new URL("${baseUrl}"), "${clientId}", undefined, ${proof}, {
  algorithm: "oauth2"${execute}});

// 1. Send the player to \`ask\`. Keep verifier and state in their session.
const verifier = client.randomPKCECodeVerifier();
const state = client.randomState();
const ask = client.buildAuthorizationUrl(config, {
  redirect_uri: "${redirectUri}",
  scope: "${scopes.join(" ")}",
  state,
  code_challenge: await client.calculatePKCECodeChallenge(verifier),
  code_challenge_method: "S256",
});

// 2. They come back to the redirect URI: \`back\` is the full address they came to.
const tokens = await client.authorizationCodeGrant(config, back, {
  pkceCodeVerifier: verifier,
  expectedState: state,
});

// 3. Call.`;
}

const userCall = (baseUrl: string) =>
  `curl ${baseUrl}/api/v1/user -H "Authorization: Bearer $ACCESS_TOKEN"`;

/**
 * Braces make the shell parse the whole block before `read` takes a line. Comments are left out,
 * because an interactive zsh would run them.
 */
function curl(subject: SampledApplication, call: string): string {
  const { baseUrl, clientId, kind, scopes } = subject;
  const query = new URLSearchParams({
    response_type: "code",
    client_id: clientId,
    redirect_uri: hostedCallbackUri(baseUrl, clientId),
    scope: scopes.join(" "),
    code_challenge_method: "S256",
  });
  const ask = `${baseUrl}/oauth/authorize?${query}&state=$(openssl rand -hex 16)&code_challenge=$challenge`;
  return `{
${askSecret(kind)}verifier=$(openssl rand -hex 32)
challenge=$(printf %s "$verifier" | openssl dgst -sha256 -binary | openssl base64 | tr '+/' '-_' | tr -d '=')
printf '\\nOpen this address, approve, and copy the code that it shows:\\n\\n%s\\n\\nCode: ' \\
  "${ask}"
read -r CODE
${exchange({ ...subject, code: "$CODE" }, ` -d code_verifier="$verifier"`)}
${call}
}`;
}

/** Asks only if the shell does not have the secret yet. */
const askSecret = (kind: SampledApplication["kind"]) =>
  kind === "public"
    ? ""
    : `[ -n "\${CLIENT_SECRET:-}" ] || { printf 'Client secret: '; read -r CLIENT_SECRET; }\n`;

type Exchange = Pick<SampledApplication, "baseUrl" | "clientId" | "kind"> & {
  readonly code: string;
};

/** Leaves the token in `$ACCESS_TOKEN`. Prints the reply, because it may be an error. */
function exchange({ baseUrl, clientId, kind, code }: Exchange, verifier = ""): string {
  const proof = kind === "public" ? `-d client_id=${clientId}` : `-u "${clientId}:$CLIENT_SECRET"`;
  return `reply=$(curl -sS ${baseUrl}/oauth/token ${proof} \\
  -d grant_type=authorization_code -d code="${code}"${verifier} \\
  --data-urlencode redirect_uri="${hostedCallbackUri(baseUrl, clientId)}")
echo "$reply"
ACCESS_TOKEN=$(printf %s "$reply" | sed -n 's/.*"access_token": *"\\([^"]*\\)".*/\\1/p')`;
}

/** Exchanges the code of a request without a challenge, and makes a first call. */
export const exchangeSnippet = (subject: Exchange): string =>
  `{\n${askSecret(subject.kind)}${exchange(subject)}\n${userCall(subject.baseUrl)}\n}`;

function python({ baseUrl, clientId, kind, redirectUri, scopes }: SampledApplication): string {
  const http = isPlainHttp(baseUrl);
  const needsOs = http || kind === "confidential";
  const proof =
    kind === "public"
      ? "include_client_id=True"
      : `auth=("${clientId}", os.environ["CLIENT_SECRET"])`;
  return `${needsOs ? "import os\n" : ""}from requests_oauthlib import OAuth2Session  # 2.0 or later
${http ? '\nos.environ["OAUTHLIB_INSECURE_TRANSPORT"] = "1"  # Plain http, on your own machine only.\n' : ""}
session = OAuth2Session(
    "${clientId}",
    redirect_uri="${redirectUri}",
    scope=[${scopes.map((scope) => `"${scope}"`).join(", ")}],
    pkce="S256",
)

# 1. Send the player to \`ask\`. The state is checked when they come back.
ask, state = session.authorization_url("${baseUrl}/oauth/authorize")

# 2. They come back to the redirect URI: \`back\` is the full address they came to.
session.fetch_token("${baseUrl}/oauth/token", authorization_response=back, ${proof})

# 3. Call.`;
}
