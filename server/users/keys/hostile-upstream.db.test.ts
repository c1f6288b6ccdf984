import type { ServerResponse } from "node:http";
import { beforeEach, expect, test } from "vitest";
import { accounts, notices } from "#db/schema/accounts";
import { gameBudgets, jobRuns } from "#db/schema/operations";
import { players } from "#db/schema/players";
import { createGameClient } from "#server/game/client";
import { createRunner } from "#server/jobs/runner";
import { callAs } from "#server/testing/call-as";
import { testDatabase } from "#server/testing/database";
import { enrol } from "#server/testing/enrol";
import { type Behaviour, hostileUpstream } from "#server/testing/hostile-upstream";
import { livedTime } from "#server/testing/lived-time";
import { testContext } from "#server/testing/test-context";
import { refreshUsersJob } from "../jobs/refresh-users";

const database = await testDatabase();
const { ctx: near, clock, simulator, log } = await testContext({ database });
const upstream = await hostileUpstream();
const elsewhere = await hostileUpstream();

/** The product on an upstream over HTTP, with second tries, and with less patience so that tests end soon. */
const contextOn = (timeoutMs = 200) => ({
  ...near,
  game: createGameClient({
    baseUrl: `${upstream.url}/v2`,
    fetch,
    now: clock.now,
    log,
    timeoutMs,
    secondTryAfter: () => 1,
  }),
});

beforeEach(async () => {
  await upstream.open();
  await database.query.delete(accounts);
  await database.query.delete(players);
  await database.query.delete(gameBudgets);
  simulator.control.clearCache();
  clock.advance(86_400);
  log.lines.length = 0;
});

/** A key owner due for a refresh. */
async function person() {
  const member = await enrol(near, "member");
  clock.advance(3_660);
  return member;
}

const asTheGame: Behaviour = async (request, response) => {
  const { authorization = "" } = request.headers;
  const answer = await simulator.fetch(
    new Request(`${simulator.baseUrl.replace(/\/v2$/, "")}${request.url}`, {
      headers: { authorization },
    }),
  );
  response
    .writeHead(answer.status, { "content-type": "application/json" })
    .end(await answer.text());
};

const html =
  (status: number, headers = {}) =>
  (_: unknown, response: ServerResponse) =>
    response
      .writeHead(status, { "content-type": "text/html", ...headers })
      .end("<html>Just a moment…</html>");
const never: Behaviour = () => {};

async function expectNothingLeaked(key: string) {
  const { query } = database;
  const written = [
    await query.select().from(jobRuns),
    await query.select().from(notices),
    log.lines,
  ];
  expect(JSON.stringify(written)).not.toContain(key);
}

test.each<[string, Behaviour | "shut"]>([
  ["a refused connection", "shut"],
  ["no answer", never],
  ["HTTP 500", html(500)],
  ["HTTP 502 with a page of HTML", html(502)],
  ["HTTP 429 with Retry-After", html(429, { "retry-after": "7" })],
])(
  "RE-52 %s of the upstream: the stored record is served, a refresh says 4101, there is no storm",
  async (_, how) => {
    const { playerId, key, name } = await person();
    const ctx = contextOn();
    upstream.behave(how === "shut" ? never : how);
    if (how === "shut") await upstream.shut();
    const call = callAs(ctx, { playerId, scopes: ["service_key:usage"] });
    for (let n = 0; n < 30; n++) {
      const { status, json, text } = await call(`/user/${playerId}?refresh=true`);
      expect([503, 504]).toContain(status);
      expect(json).toMatchObject({ code: 4101 });
      expect(text).not.toContain(key);
    }
    expect((await call(`/user/${playerId}`)).json).toMatchObject({ tid: playerId, name });
    // Five outages in a row open the breaker; thirty callers cost the upstream no more.
    expect(upstream.seen()).toBeLessThanOrEqual(10);
    await expectNothingLeaked(key);
  },
);

test("RE-52 a refusal with Retry-After is handed on, and nobody calls before its end", async () => {
  const { playerId } = await person();
  const ctx = contextOn();
  upstream.behave(html(429, { "retry-after": "7" }));
  const call = callAs(ctx, { playerId, scopes: ["service_key:usage"] });
  const refresh = async () =>
    (await call(`/user/${playerId}?refresh=true`)).headers.get("retry-after");
  expect([await refresh(), await refresh()]).toEqual(["7", "7"]);
  clock.advance(6);
  expect([await refresh(), upstream.seen()]).toEqual(["1", 1]);
  upstream.behave(asTheGame);
  clock.advance(1);
  expect((await call(`/user/${playerId}?refresh=true`)).status).toBe(200);
});

test("RE-52 while a slow upstream hangs, stored data is served with a p99 under a second", async () => {
  const { playerId } = await person();
  const ctx = contextOn(3_000);
  upstream.behave(never);
  const call = callAs(ctx, { playerId, scopes: ["service_key:usage"] });
  const hanging = Array.from({ length: 40 }, () => call(`/user/${playerId}?refresh=true`));
  const times: number[] = [];
  for (let n = 0; n < 150; n++) {
    const begun = livedTime();
    expect((await call(`/user/${playerId}`)).status).toBe(200);
    times.push(begun());
  }
  expect(times.sort((a, b) => a - b)[148]).toBeLessThan(1_000);
  const ended = await Promise.all(hanging);
  for (const { status } of ended) expect([503, 504]).toContain(status);
  expect(upstream.seen()).toBeLessThanOrEqual(60);
});

test("RE-52 the worker outlives an outage, calls little meanwhile, and goes on by itself when it ends", async () => {
  const { playerId, key } = await person();
  const ctx = contextOn();
  const runner = createRunner(ctx, [refreshUsersJob]);
  const minute = async () => {
    clock.advance(60);
    await runner.look();
    await runner.idle();
  };
  upstream.behave(html(502));
  for (let n = 0; n < 10; n++) await minute();
  // A run stops at its first outage: one call and its second try.
  expect(upstream.seen()).toBeLessThanOrEqual(20);
  upstream.behave(asTheGame);
  // A player that an outage hit is due again after the usual hour.
  clock.advance(3_600);
  await minute();
  const { json } = await callAs(ctx, {})(`/user/${playerId}`);
  expect((json as { last_refresh: number }).last_refresh).toBeGreaterThan(
    clock.now().getTime() / 1_000 - 61,
  );
  await expectNothingLeaked(key);
});

const half = JSON.stringify({ profile: { id: 1003, name: "Mika" } }).slice(0, 20);
let sent = 0;
const flood: Behaviour = (_, response) => {
  const megabyte = Buffer.alloc(1024 * 1024, 0x20);
  response.writeHead(200, { "content-type": "application/json" });
  const more = () => {
    while (sent < 50 && !response.destroyed) {
      sent++;
      if (!response.write(megabyte)) return void response.once("drain", more);
    }
    response.end();
  };
  more();
};
const say =
  (body: string | Buffer, headers = {}): Behaviour =>
  (_, response) =>
    response.writeHead(200, { "content-type": "application/json", ...headers }).end(body);

test.each<[string, Behaviour]>([
  ["an error object without a number", say('{"error":{"code":"two","error":"Words"}}')],
  ["an error number nobody knows", say('{"error":{"code":4711}}')],
  ["wrong types", say('{"profile":{"id":"1003","name":5},"discord":[],"faction":7}')],
  ["truncated JSON", say(half)],
  ["50 MB", flood],
  ["nothing", say("")],
  ["a page of HTML", html(200)],
  ["UTF-16", say(Buffer.from("\uFEFF{}", "utf16le"))],
  ["bytes that are no text", say(Buffer.of(0x7b, 0xff, 0xfe, 0x7d))],
  ["a body that is not packed as it says", say("{}", { "content-encoding": "gzip" })],
  [
    "a redirect",
    (_, response) => response.writeHead(302, { location: `${elsewhere.url}/v2/user` }).end(),
  ],
])(
  "RE-53 an upstream that answers with %s is rejected, and what was stored stays",
  async (_, how) => {
    const { playerId, key } = await person();
    const ctx = contextOn(5_000);
    upstream.behave(how);
    elsewhere.behave(asTheGame);
    const call = callAs(ctx, { playerId, scopes: ["service_key:usage"] });
    const before = await call(`/user/${playerId}`);
    const runner = createRunner(ctx, [refreshUsersJob]);
    await runner.look();
    await runner.idle();
    const { status, json } = await call(`/user/${playerId}?refresh=true`);
    expect([status, json]).toEqual([502, expect.objectContaining({ code: 4100 })]);
    expect((await call(`/user/${playerId}`)).json).toEqual(before.json);
    expect([upstream.seen(), elsewhere.seen()]).toEqual([2, 0]);
    await expectNothingLeaked(key);
  },
);

test("RE-53 of 50 MB no more is read than tells that it is too much", () => {
  expect(sent).toBeGreaterThan(0);
  expect(sent).toBeLessThan(40);
});
