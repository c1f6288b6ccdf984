import { randomUUID } from "node:crypto";
import { afterAll, expect, test } from "vitest";
import { openPostgres } from "#db/client";
import { instances } from "#db/schema/operations";
import { testPostgresUrl } from "#server/testing/database";
import { recordedLog } from "#server/testing/recorded-log";
import { type TestContext, testContext } from "#server/testing/test-context";
import { createPresence } from "./presence";
import { answerHealth } from "./read-health";

const url = await testPostgresUrl();
const databases = [openPostgres({ url }), openPostgres({ url })] as const;
afterAll(() => Promise.all(databases.map((database) => database.close())));
const one = await testContext({ database: databases[0] });
const { clock } = one;
const settle = (context: TestContext) => context.ctx.settled();
await settle(one);

const limiterIn = async ({ ctx }: TestContext) => {
  const answer = await answerHealth(ctx, new Request("http://any.host/health/ready"), "ready");
  return ((await answer.json()) as { limiter: object }).limiter;
};
const warnings = ({ log }: TestContext) =>
  log.lines.filter(({ level }) => level === "warn").map(({ message }) => message);
const own = { kind: "process", shared: false, status: "ok" };
const advice = expect.stringContaining("REDIS_URL");

function another({ shared = false } = {}) {
  const limiter = {
    status: () => ({ kind: shared ? ("redis" as const) : ("process" as const), shared }),
  };
  const [, database] = databases;
  return {
    presence: createPresence({
      database,
      id: randomUUID(),
      now: clock.now,
      limiter,
      log: recordedLog(),
    }),
  };
}

test("a process alone on its database has nothing to warn of", async () => {
  clock.advance(5);
  await one.ctx.presence.beat();
  expect(one.ctx.presence.others()).toBe(0);
  expect(await limiterIn(one)).toEqual(own);
  expect(warnings(one)).toEqual([]);
});

test("RE-34: two instances without Redis on one PostgreSQL see each other, and warn once in the log and in health", async () => {
  const two = await testContext({ database: databases[1], beside: one });
  await settle(two);
  for (let round = 0; round < 3; round++) {
    clock.advance(5);
    await one.ctx.presence.beat();
    await two.ctx.presence.beat();
  }
  for (const each of [one, two]) {
    expect(each.ctx.presence.others()).toBe(1);
    expect(await limiterIn(each)).toEqual({ ...own, warning: advice });
    expect(warnings(each)).toEqual([advice]);
  }
  // A graceful end removes the row at once.
  await two.ctx.presence.leave();
  await one.ctx.presence.beat();
  expect(await limiterIn(one)).toEqual(own);
  expect(await databases[0].query.select().from(instances)).toHaveLength(1);
  await one.ctx.presence.leave();
  expect(await databases[0].query.select().from(instances)).toEqual([]);
});

test("a process that was killed is not counted for long, and not at all by the one that takes its place", async () => {
  const killed = another();
  await killed.presence.beat();
  const successor = another();
  await successor.presence.beat();
  clock.advance(1);
  await successor.presence.beat();
  // The killed process's last heartbeat is older than its successor.
  expect(successor.presence.others()).toBe(0);
  clock.advance(20);
  await successor.presence.beat();
  expect(successor.presence.others()).toBe(0);
  await Promise.all([killed, successor].map(({ presence }) => presence.leave()));
});

test("with shared limits on both sides several processes are as they should be", async () => {
  const [left, right] = [another({ shared: true }), another({ shared: true })];
  clock.advance(30);
  for (const { presence } of [left, right, left]) await presence.beat();
  expect([left.presence.others(), left.presence.warning()]).toEqual([1, undefined]);
  const apart = another();
  clock.advance(5);
  for (const { presence } of [apart, left]) await presence.beat();
  expect(left.presence.warning()).toEqual(advice);
  await Promise.all([left, right, apart].map(({ presence }) => presence.leave()));
});

test("a heartbeat that the database does not take harms nobody", async () => {
  const away = openPostgres({ url: "postgres://nobody:nothing@127.0.0.1:1/none" });
  const log = recordedLog();
  const limiter = { status: () => ({ kind: "process" as const, shared: false }) };
  const presence = createPresence({
    database: away,
    id: randomUUID(),
    now: clock.now,
    limiter,
    log,
  });
  await presence.beat();
  await presence.leave();
  await presence.beat();
  expect(presence.warning()).toBeUndefined();
  expect(log.lines.map(({ level }) => level)).toEqual(["debug"]);
  await away.close();
});
