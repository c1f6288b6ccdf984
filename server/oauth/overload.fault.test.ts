import { sql } from "drizzle-orm";
import { afterAll, expect, test } from "vitest";
import { openPostgres } from "#db/client";
import { defineEndpoint } from "#server/rest/endpoint";
import { testPostgresUrl } from "#server/testing/database";
import { dispatchWorld } from "#server/testing/dispatch-world";
import { latencies, percentile, undisturbed } from "#server/testing/latency";
import { livedTime } from "#server/testing/lived-time";
import { mintApplication, mintTokens, postToken, refresh } from "#server/testing/oauth-world";
import { testContext } from "#server/testing/test-context";
import { mintUser } from "#server/testing/world";
import type { TokenReply } from "./grants/authorization-code";

const poolSize = 5;
const calls = 200;
const database = openPostgres({ url: await testPostgresUrl(), pools: { general: poolSize } });
afterAll(() => database.close());
const rates = { holder: 100_000, peer: 100_000, client: 100_000, clientFailures: 100_000 };
const { ctx } = await testContext({ database, settings: { rates } });

const slow = defineEndpoint({
  method: "GET",
  path: "/slow",
  title: "Slow",
  did: "Tried",
  description: "Takes a second of the database's time.",
  tag: "Test",
  scopes: [],
  fails: [],
  handle: async () => {
    await database.query.execute(sql`select pg_sleep(1)`);
  },
});

const quick = defineEndpoint({
  method: "GET",
  path: "/quick",
  title: "Quick",
  did: "Tried",
  description: "Asks the database for nothing much.",
  tag: "Test",
  scopes: [],
  fails: [],
  handle: async () => {
    await database.query.execute(sql`select 1`);
  },
});

test("RE-14: with every connection busy, calls wait a bounded time and are told to come back; refreshes go on", async () => {
  const world = dispatchWorld(ctx, [slow]);
  world.know("caller");
  const owner = await mintUser(ctx);
  const app = await mintApplication(ctx, owner);
  const minted = await Promise.all(
    Array.from({ length: 8 }, () => mintTokens(ctx, app, { user: owner })),
  );

  const lived = livedTime();
  let longest = 0;
  let under = calls;
  const flood = Array.from({ length: calls }, async () => {
    const answer = await world.call("/api/v1/slow", { token: "caller" });
    longest = Math.max(longest, lived());
    under -= 1;
    return answer;
  });
  const times: number[] = [];
  const statuses = new Set<number>();
  const chains = minted.map(async ({ refresh_token: first }) => {
    let token = first ?? "";
    while (under > 0) {
      const took = livedTime();
      const response = await refresh(ctx, app, token);
      times.push(took());
      statuses.add(response.status);
      token = ((await response.json()) as TokenReply).refresh_token ?? "";
    }
  });
  const answers = await Promise.all(flood);
  await Promise.all(chains);

  const served = answers.filter(({ status }) => status === 204);
  const refused = answers.filter(({ status }) => status === 503);
  expect(served.length).toBeGreaterThanOrEqual(poolSize);
  expect(served.length + refused.length).toBe(calls);
  expect(refused.length).toBeGreaterThan(calls / 2);
  for (const { headers, json } of refused) {
    expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
    expect(json).toMatchObject({ code: 5003 });
  }
  expect(longest).toBeLessThan(5_000);
  expect([...statuses]).toEqual([200]);
  expect(times.length).toBeGreaterThan(100);
  expect(percentile(times, 0.99)).toBeLessThan(2_000);
  // Refused calls hold no place: the next call finds one at once.
  expect((await world.call("/api/v1/slow", { token: "caller" })).status).toBe(204);
});

test("DS-05: 200 wrong secrets a second take neither the API's time nor that of other clients", async () => {
  const world = dispatchWorld(ctx, [quick]);
  world.know("caller");
  const owner = await mintUser(ctx);
  const app = await mintApplication(ctx, owner);
  const { refresh_token: first = "" } = await mintTokens(ctx, app, { user: owner });
  const wrong = { ...app, clientSecret: "adj_cs_wrong" };
  let token = first;
  const act = async () => {
    expect((await world.call("/api/v1/quick", { token: "caller" })).status).toBe(204);
    const response = await refresh(ctx, app, token);
    expect(response.status).toBe(200);
    token = ((await response.json()) as TokenReply).refresh_token ?? "";
  };
  const longest = await undisturbed(act);
  const guesses: Promise<Response>[] = [];
  const guessing = setInterval(() => {
    for (let at = 0; at < 10; at++)
      guesses.push(postToken(ctx, wrong, { grant_type: "refresh_token", refresh_token: "x" }));
  }, 50);
  const times: number[] = [];
  while (guesses.length < 400) times.push(...(await latencies(1, act)));
  clearInterval(guessing);
  expect(new Set((await Promise.all(guesses)).map(({ status }) => status))).toEqual(new Set([401]));
  expect(times.length).toBeGreaterThan(5);
  expect(percentile(times, 0.99)).toBeLessThan(longest);
});
