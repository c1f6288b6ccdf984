import { expect, test } from "vitest";
import type { Queryable } from "#db/client";
import { jobRuns } from "#db/schema/operations";
import type { Context } from "#server/context";
import { testDatabase } from "#server/testing/database";
import { readAnswer } from "#server/testing/dispatch-world";
import { enrol } from "#server/testing/enrol";
import { testContext } from "#server/testing/test-context";
import { callGame } from "#server/users/keys/call-game";
import { answerHealth, readHealth } from "./read-health";

const { ctx, simulator } = await testContext({ database: await testDatabase() });
const ask = async (context: Context, probe: string, method = "GET") =>
  readAnswer(
    await answerHealth(context, new Request(`http://any.host/health/${probe}`, { method }), probe),
  );

test("live says that the process runs, and asks nothing else", async () => {
  expect(await ask(ctx, "live")).toMatchObject({
    status: 200,
    json: { status: "live", version: expect.any(String) },
  });
});

test("ready tells of database, limiter, game and jobs whether they are well, and no more", async () => {
  const { status, json, headers } = await ask(ctx, "ready");
  expect([status, headers.get("cache-control")]).toEqual([200, "no-store"]);
  expect(json).toEqual({
    status: "ready",
    version: expect.any(String),
    instance: ctx.presence.id,
    database: { kind: ctx.database.kind, status: "ok" },
    limiter: { kind: "process", shared: false, status: "ok" },
    hints: { status: "ok" },
    game: { status: "ok" },
    jobs: { status: "ok" },
  });
});

test("ready is 503 while the process drains (RE-06)", async () => {
  const draining = { ...ctx, presence: { ...ctx.presence, draining: () => true } };
  expect(await ask(draining, "ready")).toMatchObject({
    status: 503,
    json: { status: "draining" },
  });
  expect((await ask(draining, "live")).status).toBe(200);
});

test("ready is 503 where the database does not answer, and says no more about why", async () => {
  const query = new Proxy({} as Queryable, {
    get: () => {
      throw new Error("connect ECONNREFUSED postgres://user:secret@host");
    },
  });
  const answer = await ask(
    { ...ctx, database: { ...ctx.database, query, keyPool: query } },
    "ready",
  );
  expect(answer).toMatchObject({
    status: 503,
    json: { status: "unavailable", database: { status: "unavailable" } },
  });
  expect(answer.text).not.toContain("secret");
});

test("a limiter without its Redis is told, and does not make the service unready", async () => {
  const limiter = { ...ctx.limiter, status: () => ({ kind: "redis" as const, shared: false }) };
  expect(await ask({ ...ctx, limiter }, "ready")).toMatchObject({
    status: 200,
    json: { limiter: { status: "fallback" } },
  });
});

test("operators are told how many rows the sweeper has not come to yet", async () => {
  expect(await readHealth(ctx)).toMatchObject({ backlog: null });
  const slot = ctx.now();
  const counts = { removed: 20_000, due: 10_300, "due.access_tokens": 10_000, "due.sessions": 300 };
  const run = {
    job: "sweep-expired",
    slot,
    startedAt: slot,
    finishedAt: slot,
    outcome: "done" as const,
  };
  await ctx.database.query.insert(jobRuns).values({ ...run, id: "sweep-expired:now", counts });
  expect(await readHealth(ctx)).toMatchObject({
    status: "ready",
    backlog: { rows: 10_300, tables: { access_tokens: 10_000, sessions: 300 } },
  });
});

test("operators are told how the game is and what was asked of it, and neither keys nor players are named", async () => {
  const { playerId, openKey, key } = await enrol(ctx, "member");
  simulator.control.clearCache();
  simulator.control.addFault({ player: playerId, http: 429 });
  const asking = callGame(ctx, {
    key: openKey,
    priority: "user",
    call: (game, text) => game.player(text),
  });
  await expect(asking).rejects.toMatchObject({ kind: "ip-block" });
  const health = await readHealth(ctx);
  const text = JSON.stringify(health);
  expect((await ask(ctx, "ready")).json).toMatchObject({
    status: "ready",
    game: { status: "away" },
  });
  expect(health).toMatchObject({
    status: "ready",
    game: {
      breaker: "open",
      until: new Date("2026-03-01T12:01:10.000Z"),
      lastSuccess: expect.any(Date),
      lastError: { kind: "ip-block", at: expect.any(Date) },
      budgets: { players: 1, calls: expect.any(Number), spent: 0 },
    },
  });
  expect(text).not.toContain(key);
  expect(text).not.toContain(String(playerId));
});

test("other methods and probes are refused in JSON", async () => {
  const wrong = await ask(ctx, "live", "POST");
  expect([wrong.status, wrong.headers.get("allow")]).toEqual([405, "GET, HEAD"]);
  expect((await ask(ctx, "other")).status).toBe(404);
  expect(await ask(ctx, "live", "HEAD")).toMatchObject({ status: 200, text: "" });
});
