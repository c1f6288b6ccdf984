import { afterAll, expect, onTestFinished, test } from "vitest";
import { answer } from "#server/answer";
import { signInRefused } from "#server/auth/sign-in-refused";
import { countSignInOutcome } from "#server/portal/sign-in";
import { testDatabase } from "#server/testing/database";
import { enrol } from "#server/testing/enrol";
import { serveFront } from "#server/testing/event-world";
import { basic, mintApplication, mintTokens } from "#server/testing/oauth-world";
import { onLoopback } from "#server/testing/on-loopback";
import { testContext } from "#server/testing/test-context";
import { mintUser } from "#server/testing/world";
import { callGame } from "#server/users/keys/call-game";
import { createMetricsListener, openMetricsListener } from "./metrics-listener";

const { ctx, simulator } = await testContext({
  database: await testDatabase(),
  settings: { tokenCache: true },
});
const { url: front } = await serveFront(ctx);

const port = await onLoopback(createMetricsListener(ctx), afterAll);
const url = `http://127.0.0.1:${port}`;

const scrape = async () => (await fetch(`${url}/metrics`)).text();
/** Undefined without such a line. */
async function sampleOf(name: string, labels = ""): Promise<number | undefined> {
  const start = `${name}${labels && `{${labels}}`} `;
  const line = (await scrape()).split("\n").find((each) => each.startsWith(start));
  return line === undefined ? undefined : Number(line.slice(start.length));
}

const owner = await mintUser(ctx);
const application = await mintApplication(ctx, owner);

test("a call is measured by method, route template and status, and so is its limit and the look for its token", async () => {
  const { access_token } = await mintTokens(ctx, application, { user: owner });
  const headers = { authorization: `Bearer ${access_token}` };
  for (let call = 0; call < 3; call++)
    expect((await fetch(`${front}/api/v1/user`, { headers })).status).toBe(200);
  const labels = 'method="GET",route="/api/v1/user",status="200"';
  expect(await sampleOf("adjutant_http_request_duration_seconds_count", labels)).toBe(3);
  expect(
    await sampleOf("adjutant_limiter_charges_total", 'policy="holder",outcome="allowed"'),
  ).toBe(3);
  expect(await sampleOf("adjutant_cache_lookups_total", 'cache="tokens",outcome="miss"')).toBe(1);
  expect(await sampleOf("adjutant_cache_lookups_total", 'cache="tokens",outcome="hit"')).toBe(2);
});

test("addresses that no route has, and methods that nobody knows, are one label each", async () => {
  for (let call = 0; call < 20; call++)
    await fetch(`${front}/api/v1/no-such-address/${call}?hidden=${call}`);
  const labels = 'method="GET",route="unmatched",status="404"';
  expect(await sampleOf("adjutant_http_request_duration_seconds_count", labels)).toBe(20);
  await fetch(`${front}/api/v1/user`, { method: "PROPFIND" });
  const odd = 'method="other",route="/api/v1/user",status="405"';
  expect(await sampleOf("adjutant_http_request_duration_seconds_count", odd)).toBe(1);
  expect(await scrape()).not.toMatch(/no-such-address|PROPFIND|hidden/);
});

test("the token endpoint is counted by grant and error, and what a caller wrote is no label", async () => {
  const ask = (form: Record<string, string>, authorization = basic(application)) =>
    fetch(`${front}/oauth/token`, {
      method: "POST",
      headers: { authorization },
      body: new URLSearchParams(form),
    });
  const { refresh_token = "" } = await mintTokens(ctx, application, { user: owner });
  const asked = { grant_type: "refresh_token", refresh_token };
  expect((await ask(asked)).status).toBe(200);
  expect((await ask({ ...asked, refresh_token: "made-up" })).status).toBe(400);
  expect((await ask({ ...asked, grant_type: "x-made-up" })).status).toBe(400);
  expect((await ask(asked, basic({ ...application, clientSecret: "made-up" }))).status).toBe(401);
  for (const [labels, count] of [
    ['grant_type="refresh_token",error="none"', 1],
    ['grant_type="refresh_token",error="invalid_grant"', 1],
    ['grant_type="refresh_token",error="invalid_client"', 1],
    ['grant_type="other",error="unsupported_grant_type"', 1],
  ] as const)
    expect([labels, await sampleOf("adjutant_token_requests_total", labels)]).toEqual([
      labels,
      count,
    ]);
  const route = 'method="POST",route="/oauth/token",status="401"';
  expect(await sampleOf("adjutant_http_request_duration_seconds_count", route)).toBe(1);
  expect(await scrape()).not.toMatch(
    new RegExp(`made-up|${application.clientId}|${owner.accountId}`),
  );
});

test("sign-ins are counted by their outcome", async () => {
  const refusing = countSignInOutcome(ctx, "game-key", Promise.reject(signInRefused("wrong-key")));
  await expect(refusing).rejects.toThrow();
  expect(await sampleOf("adjutant_sign_ins_total", 'method="game-key",outcome="wrong-key"')).toBe(
    1,
  );
});

test("calls to the game are counted by outcome, and the breaker's state is told", async () => {
  const { openKey, playerId } = await enrol(ctx, "member");
  simulator.control.clearCache();
  simulator.control.addFault({ player: playerId, http: 429 });
  const asking = callGame(ctx, {
    key: openKey,
    priority: "user",
    call: (game, text) => game.player(text),
  });
  await expect(asking).rejects.toMatchObject({ kind: "ip-block" });
  expect(await sampleOf("adjutant_game_call_duration_seconds_count", 'outcome="ip-block"')).toBe(1);
  expect(await sampleOf("adjutant_game_breaker", 'state="open"')).toBe(1);
  expect(await sampleOf("adjutant_game_breaker", 'state="closed"')).toBe(0);
  expect(await sampleOf("adjutant_game_calls_left")).toBeLessThan(ctx.settings.gameCallsAMinute);
  const detail = await (await fetch(`${url}/health`)).text();
  expect(JSON.parse(detail)).toMatchObject({
    status: "ready",
    game: { breaker: "open", lastError: { kind: "ip-block" }, budgets: { players: 1 } },
    events: { inbox: { events: 0 } },
    webhooks: { messages: 0 },
    jobs: expect.arrayContaining([
      expect.objectContaining({ name: "refresh-users", status: "waiting" }),
    ]),
  });
  expect(detail).not.toContain(String(playerId));
});

test("the process itself is told, with the delay of its event loop", async () => {
  const text = await scrape();
  for (const name of [
    "nodejs_eventloop_lag_p99_seconds",
    "process_resident_memory_bytes",
    "adjutant_build_info",
  ])
    expect(text).toMatch(new RegExp(`^${name}[ {]`, "m"));
});

test("no label holds more than words of ours", async () => {
  const labels = [...(await scrape()).matchAll(/^adjutant_\w+\{(.*)\} /gm)].flatMap(
    ([, all = ""]) => [...all.matchAll(/="([^"]*)"/g)].map(([, value = ""]) => value),
  );
  expect(labels.length).toBeGreaterThan(100);
  expect(
    labels.filter(
      (value) => !/^(?:[a-z][\w.-]*|[A-Z]+|[\d.]+|\+Inf|\/[\w./<>:[\]-]*)$/.test(value),
    ),
  ).toEqual([]);
});

test("what needs the database is left out where it is silent, and the rest is told", async () => {
  const broken = new Proxy(ctx.database.keyPool, {
    get: () => {
      throw new Error("connect ECONNREFUSED postgres://user:secret@host");
    },
  });
  const alone = createMetricsListener({ ...ctx, database: { ...ctx.database, keyPool: broken } });
  const at = await onLoopback(alone, onTestFinished);
  const text = await (await fetch(`http://127.0.0.1:${at}/metrics`)).text();
  expect(text).toMatch(/^adjutant_database_up 0$/m);
  expect(text).toMatch(/^adjutant_ready 0$/m);
  expect(text).not.toMatch(/^adjutant_job_late\{|^adjutant_event_inbox_events |secret/m);
});

test("nothing else is there, and nothing of it is on the public side", async () => {
  expect((await fetch(`${url}/`)).status).toBe(404);
  expect((await fetch(`${url}/metrics`, { method: "POST" })).status).toBe(405);
  const publicly = await answer(ctx, new Request("http://localhost:3000/health/ready"), {
    address: null,
  });
  const told = (await publicly.json()) as object;
  expect(Object.keys(told)).toEqual([
    "status",
    "version",
    "instance",
    "database",
    "limiter",
    "hints",
    "game",
    "jobs",
  ]);
  expect(JSON.stringify(told)).not.toMatch(/refresh-users|budgets|calls|backlog|lastError/);
});

test("a port that is in use stops the start with a sentence, and without one nothing is opened", async () => {
  expect(await openMetricsListener(ctx)).toBeUndefined();
  const settings = { ...ctx.settings, metrics: { port, host: "127.0.0.1" } };
  await expect(openMetricsListener({ ...ctx, settings })).rejects.toThrow(
    `Port ${port} of 127.0.0.1 is in use by another process. Stop it, or set METRICS_PORT to another one.`,
  );
  const elsewhere = { ...settings, metrics: { port, host: "192.0.2.1" } };
  await expect(openMetricsListener({ ...ctx, settings: elsewhere })).rejects.toThrow(
    "METRICS_HOST is wrong",
  );
});
