import { execFile } from "node:child_process";
import path from "node:path";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { testDatabase } from "#server/testing/database";
import { freePort } from "#server/testing/free-port";
import { browserOverHttp, frontOnLoopback } from "#server/testing/front-on-loopback";
import { mintApplication, type TestApplication } from "#server/testing/oauth-world";
import { testContext } from "#server/testing/test-context";
import { mintUser } from "#server/testing/world";
import { adjutant } from "../../docs/recipes/auth-js";
import { oauth4webapi } from "../../docs/recipes/oauth4webapi";
import { openidClient } from "../../docs/recipes/openid-client";
import { simpleOauth2 } from "../../docs/recipes/simple-oauth2";
import { serverMetadata } from "./http";

// Runs the OAuth guide's samples unchanged, each library over HTTP against the production front.

const baseUrl = `http://127.0.0.1:${await freePort()}`;
const { ctx, simulator } = await testContext({
  database: await testDatabase(),
  settings: { baseUrl },
});
await frontOnLoopback(ctx);
const developer = await mintUser(ctx);

interface Tokens {
  readonly access_token: string;
  readonly refresh_token?: string;
}

/** State between request and answer is up to the recipe. */
interface Recipe {
  ask(
    scope: string,
  ): Promise<{ url: string; comeBack: (address: string) => Promise<Tokens | null> }>;
  call(accessToken: string, path: string): Promise<unknown>;
  refresh(refreshToken: string): Promise<Tokens>;
  revoke(token: string): Promise<void>;
}

interface Library<Waiting> extends Pick<Recipe, "call" | "refresh" | "revoke"> {
  ask(
    scope: string,
  ): { url: string; waiting: Waiting } | Promise<{ url: string; waiting: Waiting }>;
  comeBack(address: string, waiting: Waiting): Promise<Tokens | null>;
}

const ofLibrary = <Waiting>(library: Library<Waiting>): Recipe => ({
  ...library,
  async ask(scope) {
    const { url, waiting } = await library.ask(scope);
    return { url, comeBack: (address) => library.comeBack(address, waiting) };
  },
});

const run = promisify(execFile);
const recipes = path.join(import.meta.dirname, "../../docs/recipes");
const registered = ({ clientId, clientSecret, redirectUri }: TestApplication) => ({
  baseUrl,
  clientId,
  redirectUri,
  clientSecret: clientSecret ?? "",
});

/** Calls the functions of the shell recipe after sourcing it. */
function ofShell(app: TestApplication): Recipe {
  const variables = { BASE_URL: baseUrl, CLIENT_ID: app.clientId, REDIRECT_URI: app.redirectUri };
  const env = { ...process.env, ...variables, CLIENT_SECRET: app.clientSecret ?? "" };
  const shell = async (line: string, more = {}) => {
    const script = `. "${recipes}/curl.sh"; ${line}`;
    return (await run("bash", ["-euo", "pipefail", "-c", script], { env: { ...env, ...more } }))
      .stdout;
  };
  const denied = (thrown: { code?: number }) => {
    if (thrown.code === 2) return null;
    throw thrown;
  };
  return {
    async ask(scope) {
      const [url = "", state, verifier] = (
        await shell(`ask "${scope}"; echo "$state"; echo "$verifier"`)
      ).split("\n");
      const come = (address: string) => shell(`come_back "${address}"`, { state, verifier });
      return { url, comeBack: (address) => come(address).then((text) => JSON.parse(text), denied) };
    },
    call: async (accessToken, of) => JSON.parse(await shell(`call "${accessToken}" "${of}"`)),
    refresh: async (refreshToken) => JSON.parse(await shell(`refresh "${refreshToken}"`)),
    revoke: async (token) => void (await shell(`revoke "${token}"`)),
  };
}

/** Calls one function of the Python recipe, imported from its file. */
const ofPython =
  (module: string) =>
  (app: TestApplication): Recipe => {
    const load = `import json,sys; from ${module} import Adjutant`;
    const env = { ...process.env, PYTHONDONTWRITEBYTECODE: "1" };
    const call = `give = getattr(Adjutant(*json.loads(sys.argv[1])), sys.argv[2])(*json.loads(sys.argv[3]))`;
    const python = async (method: string, ...given: unknown[]) => {
      const made = JSON.stringify([baseUrl, app.clientId, app.clientSecret, app.redirectUri]);
      const line = `${load}; ${call}; print(json.dumps(give))`;
      const asked = ["-c", line, made, method, JSON.stringify(given)];
      return JSON.parse((await run("python3", asked, { cwd: recipes, env })).stdout);
    };
    return {
      async ask(scope) {
        const [url, state, verifier] = await python("ask", scope);
        return { url, comeBack: (address) => python("come_back", address, state, verifier) };
      },
      call: (accessToken, of) => python("call", accessToken, of),
      refresh: (refreshToken) => python("refresh", refreshToken),
      revoke: (token) => python("revoke", token),
    };
  };

/** Python includes none of these libraries; their recipes run where they are installed. */
const hasPython = (library: string): Promise<boolean> =>
  run("python3", ["-c", `import ${library}`]).then(
    () => true,
    () => false,
  );

const clients: [
  name: string,
  open: (app: TestApplication) => Recipe | Promise<Recipe>,
  runs?: boolean,
][] = [
  ["openid-client", async (app) => ofLibrary(await openidClient(registered(app)))],
  ["oauth4webapi", async (app) => ofLibrary(await oauth4webapi(registered(app)))],
  ["simple-oauth2", (app) => ofLibrary(simpleOauth2(registered(app)))],
  ["curl", ofShell],
  [
    "requests-oauthlib",
    ofPython("adjutant_requests_oauthlib"),
    await hasPython("requests_oauthlib"),
  ],
  ["Authlib", ofPython("adjutant_authlib"), await hasPython("authlib")],
];

const userPath = "/api/v1/user";

for (const [name, open, runs = true] of clients)
  describe.runIf(runs)(`the recipe for ${name}`, () => {
    test("signs in, calls, refreshes and revokes", async () => {
      const recipe = await open(await mintApplication(ctx, developer));
      const { url, comeBack } = await recipe.ask("identity faction:banking");
      const tokens = await comeBack(await decide(url, "approve"));
      expect(await recipe.call(tokens?.access_token ?? "", userPath)).toMatchObject({
        tid: expect.any(Number),
      });

      const next = await recipe.refresh(tokens?.refresh_token ?? "");
      await expect(recipe.call(tokens?.access_token ?? "", userPath)).rejects.toThrow();
      expect(await recipe.call(next.access_token, userPath)).toMatchObject({
        tid: expect.any(Number),
      });

      await recipe.revoke(next.refresh_token ?? "");
      await expect(recipe.call(next.access_token, userPath)).rejects.toThrow();
      await expect(recipe.refresh(next.refresh_token ?? "")).rejects.toThrow();
    });

    test("is told that the player denied (AZ-34, AZ-35)", async () => {
      const { url, comeBack } = await (await open(await mintApplication(ctx, developer))).ask(
        "identity",
      );
      expect(await comeBack(await decide(url, "deny"))).toBeNull();
    });

    test("stops at an answer that belongs to another request", async () => {
      const recipe = await open(await mintApplication(ctx, developer));
      const other = await recipe.ask("identity");
      const { comeBack } = await recipe.ask("identity");
      await expect(comeBack(await decide(other.url, "approve"))).rejects.toThrow();
    });
  });

test.each([
  ["openid-client", openidClient],
  ["oauth4webapi", oauth4webapi],
])("the recipe for %s serves a public application too", async (_, open) => {
  const app = await mintApplication(ctx, developer, { kind: "public", redirectUris: [] });
  const recipe = await open({ ...registered(app), clientSecret: undefined });
  const { url, waiting } = await recipe.ask("identity");
  const tokens = await recipe.comeBack(await decide(url, "approve"), waiting);
  expect(tokens).not.toHaveProperty("refresh_token");
  expect(await recipe.call(tokens?.access_token ?? "", userPath)).toMatchObject({
    tid: expect.any(Number),
  });
  await recipe.revoke(tokens?.access_token ?? "");
  await expect(recipe.call(tokens?.access_token ?? "", userPath)).rejects.toThrow();
});

test("the provider for Auth.js names our endpoints, asks for what we want, and reads a player", async () => {
  const app = registered(await mintApplication(ctx, developer));
  const provider = adjutant(app);
  const metadata = serverMetadata(baseUrl);
  expect([provider.issuer, provider.authorization.url, provider.token]).toEqual([
    metadata.issuer,
    metadata.authorization_endpoint,
    metadata.token_endpoint,
  ]);
  expect(metadata.token_endpoint_auth_methods_supported).toContain(
    provider.client.token_endpoint_auth_method,
  );
  expect(provider.checks).toEqual(["pkce", "state"]);
  const recipe = await oauth4webapi(app);
  const { url, waiting } = await recipe.ask(provider.authorization.params.scope);
  const tokens = await recipe.comeBack(await decide(url, "approve"), waiting);
  const headers = { authorization: `Bearer ${tokens?.access_token}` };
  const player = provider.profile(await (await fetch(provider.userinfo, { headers })).json());
  expect(player).toEqual({
    id: expect.stringMatching(/^\d+$/),
    name: expect.stringContaining(`[${player.id}]`),
  });
});

async function decide(url: string, decision: "approve" | "deny"): Promise<string> {
  const browser = browserOverHttp(ctx);
  await browser.signIn(simulator.demoKeys.member);
  return browser.decide(url, decision);
}
