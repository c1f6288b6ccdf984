import { spawn } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import { createRequire } from "node:module";
import path from "node:path";
import { createInterface } from "node:readline";
import { freePort } from "#server/testing/free-port";
import type { Services } from "../ours";
import type { Subject } from "../subject";
import { authorization, end, type Peer, reading, refreshing, tokens } from "./peers";

/** They belong together: a newer better-auth wants a newer plugin. */
const packages = [
  "better-auth@1.7.5",
  "@better-auth/core@1.7.5",
  "@better-auth/oauth-provider@1.7.5",
  "pg@8.23.1",
];
const script = path.join(import.meta.dirname, "../peers/better-auth.mjs");
const redirectUri = "https://peer.example/callback";

/** The best-known provider that is a part of one's own application. */
export const betterAuthRead: Subject = {
  id: "better-auth-user",
  title: "better-auth on PostgreSQL: userinfo",
  against: "user",
  start: () =>
    reading(
      (services) => startBetterAuth(services, "openid identity"),
      "/api/auth/oauth2/userinfo",
    ),
};

/** Without a check of revocation. Ours checks it in its one database query. */
export const betterAuthSigned: Subject = {
  id: "better-auth-signed",
  title: "better-auth on PostgreSQL: a token checked by its signature alone",
  against: "user",
  start: () => reading((services) => startBetterAuth(services, "openid identity"), "/api/v1/user"),
};

export const betterAuthRefresh: Subject = {
  id: "better-auth-refresh",
  title: "better-auth on PostgreSQL: refresh with rotation, durable",
  against: "refresh",
  // Without "openid", or each refresh would sign an ID token too, which ours does not.
  start: () =>
    refreshing(
      (services) => startBetterAuth(services, "offline_access identity"),
      "/api/auth/oauth2/token",
    ),
};

async function startBetterAuth(services: Services, scope: string): Promise<Peer | string> {
  const folder = process.env.PEER_BETTER_AUTH;
  if (!folder || !isInstalled(folder))
    return `PEER_BETTER_AUTH names no folder with its packages (npm install ${packages.join(" ")}, in an empty folder)`;
  const port = String(await freePort());
  const url = `http://127.0.0.1:${port}`;
  const env = {
    ...process.env,
    NODE_ENV: "production" as const,
    PEER_DATABASE_URL: services.databaseUrl,
  };
  const server = spawn(process.execPath, [script], {
    env: { ...env, PEER_PORT: port },
    stdio: ["ignore", "pipe", "inherit"],
  });
  for await (const line of createInterface({ input: server.stdout })) if (line === "ready") break;
  const authorize = await openDoors(`${url}/api/auth`);
  // The first meets the consent page, and makes the key that all are signed with.
  await authorize(scope);
  const mint = () => Promise.all(Array.from({ length: tokens }, () => authorize(scope)));
  return { url, pid: server.pid ?? 0, mint, stop: () => end(server) };
}

function isInstalled(folder: string): boolean {
  const { resolve } = createRequire(path.resolve(folder, "package.json"));
  try {
    for (const name of packages) resolve(name.slice(0, name.lastIndexOf("@")));
    return true;
  } catch {
    return false;
  }
}

/**
 * A player that has signed up and registered the application, through the provider's public doors.
 * @returns lets the application in, on the consent page if it asks, and gives the tokens for the code: "access refresh"
 */
async function openDoors(issuer: string): Promise<(scope: string) => Promise<string>> {
  const cookies: string[] = [];
  const visit = async (to: string, body?: object) => {
    const headers = {
      "content-type": "application/json",
      cookie: cookies.join("; "),
      origin: new URL(issuer).origin,
    };
    const answer = await fetch(`${issuer}${to}`, {
      headers,
      ...(body && { method: "POST", body: JSON.stringify(body) }),
    });
    return { answer, found: await read(answer) };
  };
  const person = {
    email: "player@peer.example",
    password: randomBytes(18).toString("hex"),
    name: "Peer [1001]",
  };
  const { answer } = await visit("/sign-up/email", {
    ...person,
    chatId: "1111111111111111111",
    factionId: 1,
  });
  cookies.push(...answer.headers.getSetCookie().map((line) => line.split(";")[0] ?? ""));
  await visit("/oauth2/register", {
    client_name: "Peer",
    redirect_uris: [redirectUri],
    grant_types: ["authorization_code", "refresh_token"],
    token_endpoint_auth_method: "client_secret_basic",
  });

  return async (scope) => {
    const verifier = randomBytes(32).toString("base64url");
    // A request with a resource gets a signed access token.
    const resource = `${issuer}/oauth2/userinfo`;
    const query = new URLSearchParams({
      response_type: "code",
      client_id: "peer",
      redirect_uri: redirectUri,
      scope,
      state: "bench",
      resource,
      code_challenge: createHash("sha256").update(verifier).digest("base64url"),
      code_challenge_method: "S256",
    });
    const asked = (await visit(`/oauth2/authorize?${query}`)).found.url ?? "";
    const back = asked.startsWith("/consent?")
      ? (
          await visit("/oauth2/consent", {
            accept: true,
            oauth_query: asked.slice(asked.indexOf("?") + 1),
          })
        ).found.url
      : asked;
    const code = new URL(back ?? "").searchParams.get("code") ?? "";
    const given = await fetch(`${issuer}/oauth2/token`, {
      method: "POST",
      headers: { authorization },
      body: new URLSearchParams({
        grant_type: "authorization_code",
        code,
        redirect_uri: redirectUri,
        code_verifier: verifier,
        resource,
      }),
    });
    const { access_token: access = "none", refresh_token: refresh = "none" } = await read(given);
    return `${access} ${refresh}`;
  };
}

async function read(answer: Response): Promise<Partial<Record<string, string>>> {
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${answer.url} answered ${answer.status}: ${text}`);
  return JSON.parse(text);
}
