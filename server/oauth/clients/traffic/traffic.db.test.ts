import { expect, test } from "vitest";
import { requestLog, trafficHours } from "#db/schema/operations";
import { testDatabase } from "#server/testing/database";
import { mintApplication, mintTokens } from "#server/testing/oauth-world";
import { testContext } from "#server/testing/test-context";
import { mintUser } from "#server/testing/world";
import { listConsents } from "../../consents/list-consents";
import { showTraffic } from "./show-traffic";
import type { TrafficRange } from "./traffic";
import { countTrafficJob } from "./traffic-jobs";

const { ctx, clock } = await testContext({ database: await testDatabase() });
const owner = await mintUser(ctx);
const { clientId } = await mintApplication(ctx, owner);
const other = await mintApplication(ctx, owner);
const [one, two] = [ctx.ids.uuid(), ctx.ids.uuid()];
const hour = 3_600_000;

interface Call {
  readonly hoursAgo?: number;
  readonly status?: number;
  readonly route?: string;
  readonly accountId?: string | null;
  readonly micros?: number;
  readonly of?: string;
}

async function log(calls: readonly Call[]): Promise<void> {
  for (const {
    hoursAgo = 0,
    status = 200,
    route = "/api/v1/user",
    accountId = one,
    micros = 1_000,
    of,
  } of calls)
    ctx.logRequest({
      at: new Date(ctx.now().getTime() - hoursAgo * hour),
      ...{ requestId: ctx.ids.request(), method: "GET", route, status, failureCode: null },
      ...{ accountId, clientId: of ?? clientId, address: null, micros },
    });
  await ctx.settled();
}

const show = (range: TrafficRange) => showTraffic(ctx, owner, { clientId, range });
const count = () => countTrafficJob.run(ctx, { budget: 0, signal: new AbortController().signal });
const many = (length: number, call: Call): Call[] => Array.from({ length }, () => call);

test("calls are counted by time, endpoint and how they ended, and one player's busiest minute against the limit", async () => {
  await log([
    ...many(5, {}),
    ...many(2, { accountId: two }),
    { status: 429 },
    { status: 404, route: "unmatched" },
    { hoursAgo: 23, status: 503, micros: 100_000 },
    ...many(3, { hoursAgo: 30, micros: 20_000 }),
    { hoursAgo: 24 * 20 },
    { hoursAgo: 24 * 31 },
    { of: other.clientId },
  ]);
  const day = await show("24h");
  expect(day.total).toEqual({ calls: 10, clientErrors: 1, limited: 1, serverErrors: 1 });
  expect(day.steps).toHaveLength(24);
  expect(day.steps.at(-1)).toMatchObject({
    ...{ from: new Date("2026-03-01T12:00:00Z"), calls: 9 },
    ...{ clientErrors: 1, limited: 1, serverErrors: 0 },
  });
  expect(day.steps[0]).toMatchObject({
    from: new Date("2026-02-28T13:00:00Z"),
    calls: 1,
    serverErrors: 1,
  });
  expect(day.endpoints).toEqual([
    { endpoint: "GET /api/v1/user", calls: 9, clientErrors: 0, limited: 1, serverErrors: 1 },
    { endpoint: "GET unmatched", calls: 1, clientErrors: 1, limited: 0, serverErrors: 0 },
  ]);
  expect(day).toMatchObject({ busiestMinute: 7, busiestHour: new Date("2026-03-01T12:00:00Z") });
  expect(day.limit).toBe(ctx.settings.rates.holder);
  expect(Math.abs((day.median ?? 0) - 1_000)).toBeLessThan(125);
  expect(Math.abs((day.p95 ?? 0) - 100_000)).toBeLessThan(12_500);
  const week = await show("7d");
  expect(week.steps.flatMap(({ calls }) => (calls > 0 ? [calls] : []))).toEqual([3, 1, 9]);
  expect((await show("30d")).total.calls).toBe(14);
});

test("an outage of an hour is a step of its own in a week, and figures stand beside those of the range before", async () => {
  const app = await mintApplication(ctx, owner);
  await log([
    ...many(6, { hoursAgo: 50, of: app.clientId }),
    ...many(4, { hoursAgo: 51, of: app.clientId, status: 503 }),
    ...many(5, { hoursAgo: 24 * 9, of: app.clientId, micros: 50_000 }),
    { hoursAgo: 24 * 9, of: app.clientId, status: 404 },
  ]);
  const week = await showTraffic(ctx, owner, { clientId: app.clientId, range: "7d" });
  expect(
    week.steps.flatMap(({ calls, serverErrors }) => (calls > 0 ? [[calls, serverErrors]] : [])),
  ).toEqual([
    [4, 4],
    [6, 0],
  ]);
  expect(week.total).toMatchObject({ calls: 10, serverErrors: 4, clientErrors: 0 });
  expect(week.before.total).toMatchObject({ calls: 6, serverErrors: 0, clientErrors: 1 });
  expect(Math.abs((week.before.p95 ?? 0) - 50_000)).toBeLessThan(6_250);
});

test("the last hour is counted by minute, also of an hour that is over", async () => {
  const app = await mintApplication(ctx, owner);
  await log([
    ...many(3, { of: app.clientId }),
    ...many(2, { of: app.clientId, hoursAgo: 0.5, status: 503 }),
    { of: app.clientId, hoursAgo: 5.25 },
  ]);
  const shown = async (until: Date | null) => {
    const asked = { clientId: app.clientId, range: "1h", until } as const;
    const { steps } = await showTraffic(ctx, owner, asked);
    return steps.flatMap(({ calls }, minute) => (calls > 0 ? [[minute, calls]] : []));
  };
  expect(await shown(null)).toEqual([
    [29, 2],
    [59, 3],
  ]);
  expect(await shown(new Date(ctx.now().getTime() - 5 * hour))).toEqual([[44, 1]]);
});

test("hours that are over are counted once, and say the same as the log, which then need not be read", async () => {
  // What the log had before its first hour was counted is not compared.
  const seen = () =>
    Promise.all(
      (["24h", "7d", "30d"] as const).map(async (range) => {
        const { before: _, ...traffic } = await show(range);
        return traffic;
      }),
    );
  const before = await seen();
  // Two concurrent workers.
  await Promise.all([count(), count()]);
  expect(await seen()).toEqual(before);
  const stored = await ctx.database.query.select().from(trafficHours);
  expect(stored.map(({ hour: at }) => at)).not.toContainEqual(new Date("2026-03-01T12:00:00Z"));
  await ctx.database.query.delete(requestLog);
  const [, , month] = await seen();
  expect(month?.total.calls).toBe(5);

  await log(many(4, {}));
  clock.advance(3_600);
  expect(await count(), "lines of the hour may still come").toEqual({ hours: 0 });
  clock.advance(120);
  expect(await count()).toEqual({ hours: 1 });
  expect((await show("24h")).total.calls).toBe(4);
});

test("the last use of a consent outlives the log", async () => {
  const app = await mintApplication(ctx, owner, { scopes: ["identity"] });
  const user = await mintUser(ctx);
  await mintTokens(ctx, app, { user, scopes: ["identity"] });
  const at = ctx.now();
  await log([{ of: app.clientId, accountId: user.accountId }]);
  clock.advance(2 * 3_600);
  await count();
  await ctx.database.query.delete(requestLog);
  expect(await listConsents(ctx, user)).toMatchObject([{ lastUsed: at }]);
});

test("of no call is nothing, said in the same shape", async () => {
  const none = await mintApplication(ctx, owner);
  const traffic = await showTraffic(ctx, owner, { clientId: none.clientId, range: "7d" });
  expect(traffic).toMatchObject({
    total: { calls: 0 },
    median: null,
    p95: null,
    busiestMinute: 0,
    busiestHour: null,
    endpoints: [],
  });
  expect(traffic.steps.every(({ calls }) => calls === 0)).toBe(true);
});
