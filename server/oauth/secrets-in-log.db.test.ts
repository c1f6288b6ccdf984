import { expect, test } from "vitest";
import { testDatabase } from "#server/testing/database";
import { freePort } from "#server/testing/free-port";
import { browserOverHttp, frontOnLoopback } from "#server/testing/front-on-loopback";
import {
  authorizationQuery,
  basic,
  mintApplication,
  redemption,
  type TestApplication,
  testVerifier,
} from "#server/testing/oauth-world";
import { testContext } from "#server/testing/test-context";
import { mintUser } from "#server/testing/world";

const database = await testDatabase();
const baseUrl = `http://127.0.0.1:${await freePort()}`;
const { ctx, simulator, log } = await testContext({
  database,
  settings: { baseUrl, logLevel: "trace" },
});
await frontOnLoopback(ctx);
const developer = await mintUser(ctx);

async function post(app: TestApplication, endpoint: string, fields: Record<string, string>) {
  const headers = { authorization: basic(app) };
  const said = await fetch(`${baseUrl}/oauth/${endpoint}`, {
    method: "POST",
    headers,
    body: new URLSearchParams(fields),
  });
  return { status: said.status, text: await said.text() };
}

const call = async (token: string) =>
  (await fetch(`${baseUrl}/api/v1/user`, { headers: { authorization: `Bearer ${token}` } })).status;

test("no log line holds a secret, whether things go well, are refused or fail (SC-04)", async () => {
  const app = await mintApplication(ctx, developer);
  const browser = browserOverHttp(ctx);
  const gameKey = simulator.demoKeys.member;
  await browser.signIn("wrongwrongwrong1");
  await browser.signIn(gameKey);
  const address = `${baseUrl}/oauth/authorize?${new URLSearchParams(authorizationQuery(app))}`;
  const code = new URL(await browser.decide(address, "approve")).searchParams.get("code") ?? "";

  await post({ ...app, clientSecret: "adj_cs_wrong" }, "token", redemption(app, code));
  await post(app, "token", redemption(app, code, { code_verifier: "b".repeat(43) }));
  const tokens = JSON.parse((await post(app, "token", redemption(app, code))).text);
  expect(await call(tokens.access_token)).toBe(200);
  const refresh = { grant_type: "refresh_token", refresh_token: tokens.refresh_token };
  const next = JSON.parse((await post(app, "token", refresh)).text);
  expect(await call(tokens.access_token)).toBe(401);
  await post(app, "introspect", { token: next.access_token });

  // The message of a failed statement has its parameters.
  await database.script(
    "alter table refresh_tokens rename to gone_tokens; alter table access_tokens rename to gone_access",
  );
  const failed = [
    await post(app, "token", { grant_type: "refresh_token", refresh_token: next.refresh_token }),
    await post(app, "revoke", { token: next.refresh_token }),
    { status: await call(next.access_token), text: "" },
  ];
  expect(failed.map(({ status }) => status)).toEqual([500, 500, 500]);

  const spilled = JSON.stringify(log.lines) + failed.map(({ text }) => text).join();
  expect(log.lines.length).toBeGreaterThanOrEqual(3);
  const all = [
    gameKey,
    code,
    testVerifier,
    app.clientSecret,
    "wrongwrongwrong1",
    ...browser.cookies(),
  ];
  for (const value of [...all, ...Object.values(tokens), ...Object.values(next)].filter(isSecret))
    expect(spilled.includes(value), `${value.slice(0, 7)}… stands in the log`).toBe(false);
});

const isSecret = (value: unknown): value is string =>
  typeof value === "string" && value.length >= 15;
