import { createHash, randomBytes } from "node:crypto";

/** A signed-in demo player that uses only the public doors. */
export interface Visitor {
  /** The browser's Cookie header. */
  cookie(): string;
  /** Registers a confidential application. */
  register(application: {
    name: string;
    redirectUri: string;
    scopes: readonly string[];
  }): Promise<Credentials>;
  /** Approves on the consent page, if it asks, and exchanges the code. */
  authorize(
    client: Credentials,
    asked: { redirectUri: string; scopes: readonly string[] },
  ): Promise<Tokens>;
}

export interface Credentials {
  readonly clientId: string;
  readonly clientSecret: string;
}

export interface Tokens {
  readonly accessToken: string;
  readonly refreshToken: string;
}

const policy = "The benchmark keeps nothing.";

/** Signs in with a game key. */
export async function openVisitor(baseUrl: string, gameKey: string): Promise<Visitor> {
  const jar = new Map<string, string>();
  const cookie = () => [...jar].map(([name, value]) => `${name}=${value}`).join("; ");
  const visit = async (path: string, init: RequestInit = {}): Promise<Response> => {
    const headers = { ...init.headers, cookie: cookie(), origin: baseUrl };
    const answer = await fetch(new URL(path, baseUrl), { ...init, headers, redirect: "manual" });
    for (const line of answer.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      jar.set(name, value);
    }
    return answer;
  };
  const post = async (target: string, fields: Record<string, string>): Promise<string> => {
    const answer = await visit(target, { method: "POST", body: new URLSearchParams(fields) });
    const location = answer.headers.get("location");
    if (!location) throw new Error(`${target} answered ${answer.status}: ${await answer.text()}`);
    return location;
  };

  await post("/sign-in/key", { game_key: gameKey });
  // The sign-out form of every page carries the session's token.
  const home = await visit("/");
  const page = await home.text();
  const csrf = /name="csrf" value="([^"]+)"/.exec(page)?.[1];
  if (!csrf)
    throw new Error(`/ answered ${home.status} without a sign-out form: ${page.slice(0, 2_000)}`);

  return {
    cookie,
    register: async ({ name, redirectUri, scopes }) => {
      const at = (path: string) => `https://bench.example/${path}`;
      const privacy = {
        data: policy,
        use: policy,
        retention: policy,
        deletion: policy,
        sharing: policy,
      };
      const pages = { clientUri: at(""), tosUri: at("terms"), privacyUri: at("privacy") };
      const input = {
        kind: "confidential",
        name,
        redirectUris: [redirectUri],
        scopes,
        ...pages,
        privacy,
      };
      const answer = await visit("/api/trpc/applications.create", {
        method: "POST",
        headers: { "content-type": "application/json", "x-csrf-token": csrf },
        body: JSON.stringify({ json: input }),
      });
      const text = await answer.text();
      if (!answer.ok) throw new Error(`The registration answered ${answer.status}: ${text}`);
      return JSON.parse(text).result.data.json as Credentials;
    },
    authorize: async (client, { redirectUri, scopes }) => {
      const verifier = randomBytes(32).toString("base64url");
      const query = new URLSearchParams({
        response_type: "code",
        client_id: client.clientId,
        redirect_uri: redirectUri,
        scope: scopes.join(" "),
        state: "bench",
        code_challenge: createHash("sha256").update(verifier).digest("base64url"),
        code_challenge_method: "S256",
      });
      const asked = (await visit(`/oauth/authorize?${query}`)).headers.get("location") ?? "";
      const requestId = /\/consent\/([0-9a-f-]+)/.exec(asked)?.[1];
      const decision = { csrf, decision: "approve", until: "revoked" };
      const back = requestId ? await post(`/consent/${requestId}/decision`, decision) : asked;
      const code = new URL(back, baseUrl).searchParams.get("code") ?? "";
      return exchange(baseUrl, client, { code, redirectUri, verifier });
    },
  };
}

async function exchange(
  baseUrl: string,
  client: Credentials,
  { code, redirectUri, verifier }: { code: string; redirectUri: string; verifier: string },
): Promise<Tokens> {
  const answer = await fetch(new URL("/oauth/token", baseUrl), {
    method: "POST",
    headers: { authorization: basic(client) },
    body: new URLSearchParams({
      grant_type: "authorization_code",
      code,
      redirect_uri: redirectUri,
      code_verifier: verifier,
    }),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`/oauth/token answered ${answer.status}: ${text}`);
  const reply = JSON.parse(text) as { access_token: string; refresh_token: string };
  return { accessToken: reply.access_token, refreshToken: reply.refresh_token };
}

export const basic = ({ clientId, clientSecret }: Credentials): string =>
  `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString("base64")}`;
