import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { openPostgres, type Queryable } from "#db/client";
import { patientDeadline, testPostgresUrl } from "#server/testing/database";
import { testContext } from "#server/testing/test-context";
import { answerHealth } from "./read-health";

const poolSize = 2;

test("an instance whose connections are all in use is ready (RE-08)", async () => {
  const database = openPostgres({
    url: await testPostgresUrl(),
    pools: { general: poolSize },
    deadline: patientDeadline,
  });
  const { ctx } = await testContext({ database });
  const { promise: released, resolve: letGo } = Promise.withResolvers<void>();
  const inUse = Array.from({ length: poolSize }, () => database.transaction(() => released));
  expect(
    (await answerHealth(ctx, new Request("http://any.host/health/ready"), "ready")).status,
  ).toBe(200);
  letGo();
  await Promise.all(inUse);
  await database.close();
});

test("an instance whose database answers slowly, and still within the time that a call has, is ready (RE-08)", async () => {
  const url = await testPostgresUrl();
  const [database, other] = [
    openPostgres({ url, deadline: patientDeadline }),
    openPostgres({ url }),
  ];
  const { ctx } = await testContext({ database, settings: { databaseTimeout: 60 } });
  const { promise: isLocked, resolve: locked } = Promise.withResolvers<void>();
  const slow = other.background.transaction(async (tx) => {
    await tx.execute(sql`lock table job_runs in access exclusive mode`);
    locked();
    await tx.execute(sql`select pg_sleep(2.5)`);
  });
  await isLocked;
  expect(
    (await answerHealth(ctx, new Request("http://any.host/health/ready"), "ready")).status,
  ).toBe(200);
  await slow;
  await other.close();
  await database.close();
});

test("however many probes ask at once, the database is asked as for one of them", async () => {
  const database = openPostgres({ url: await testPostgresUrl(), deadline: patientDeadline });
  const { ctx } = await testContext({ database });
  let statements = 0;
  const counting = (on: Queryable) =>
    new Proxy(on, {
      get: (target, name) => {
        if (name === "select" || name === "execute") statements += 1;
        return Reflect.get(target, name);
      },
    });
  const counted = {
    ...database,
    query: counting(database.query),
    keyPool: counting(database.keyPool),
  };
  const probe = () =>
    answerHealth(
      { ...ctx, database: counted },
      new Request("http://any.host/health/ready"),
      "ready",
    );
  expect((await probe()).status).toBe(200);
  const one = statements;
  expect(one).toBeLessThan(10);
  const answers = await Promise.all(Array.from({ length: 100 }, probe));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  expect(statements).toBe(2 * one);
  await database.close();
});
