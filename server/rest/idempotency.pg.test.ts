import { sql } from "drizzle-orm";
import { afterAll, expect, test } from "vitest";
import { z } from "zod";
import { openPostgres } from "#db/client";
import { testDatabase, testPostgresUrl } from "#server/testing/database";
import { dispatchWorld } from "#server/testing/dispatch-world";
import { silentProxy } from "#server/testing/silent-proxy";
import { testContext } from "#server/testing/test-context";
import { endpoint } from "./endpoint";

const calls = 50;
let handled = 0;
let release = () => {};
/** Ends when every other call has its answer: the one that is carried out is still running until then. */
const othersAnswered = new Promise<void>((resolve) => {
  release = resolve;
});
const make = endpoint({
  method: "POST",
  path: "/thing",
  title: "Make",
  description: "",
  tag: "Test",
  scopes: [],
  fails: [],
  idempotent: true,
  returns: z.int(),
  handle: async () => {
    handled += 1;
    await othersAnswered;
    return handled;
  },
});

test("of 50 parallel calls with one Idempotency-Key one is carried out", async () => {
  const { ctx } = await testContext({ database: await testDatabase() });
  const world = dispatchWorld(ctx, [make]);
  world.know("token");
  const call = { method: "POST", token: "token", headers: { "idempotency-key": "one" } };
  let answered = 0;
  const answers = await Promise.all(
    Array.from({ length: calls }, async () => {
      const answer = await world.call("/api/v1/thing", call);
      answered += 1;
      if (answered === calls - 1) release();
      return answer;
    }),
  );
  expect(handled).toBe(1);
  expect(answers.filter(({ status }) => status === 200).map(({ json }) => json)).toEqual([1]);
  const refused = answers.filter(({ status }) => status === 409);
  expect(refused).toHaveLength(calls - 1);
  for (const { json } of refused) expect(json).toMatchObject({ code: 1700 });
});

test("a call whose work was done, but whose connection broke before it knew, is not done again", {
  timeout: 30_000,
}, async () => {
  const proxy = await silentProxy(await testPostgresUrl());
  const database = openPostgres({ url: proxy.url, poolSize: 4, deadline: 1_500 });
  afterAll(async () => {
    await database.close();
    await proxy.close();
  });
  const { ctx } = await testContext({ database });
  await database.script("create table made (at timestamptz default now())");
  // Each connection is open before answers are lost, so that what is asked arrives.
  await Promise.all(Array.from({ length: 4 }, () => database.query.execute(sql`select pg_sleep(0.1)`)));
  const breaking = {
    ...make,
    path: "/breaking",
    handle: async () => {
      proxy.swallowAnswers();
      await database.query.execute(sql`insert into made default values`);
      return 1;
    },
  };
  const world = dispatchWorld(ctx, [breaking]);
  world.know("token");
  const call = () =>
    world.call("/api/v1/breaking", { method: "POST", token: "token", headers: { "idempotency-key": "one" } });
  expect((await call()).status).toBe(503);
  proxy.heal();
  await expect.poll(async () => (await call()).status, { timeout: 10_000 }).toBe(409);
  const rows = (await database.query.execute(sql`select at from made`)) as unknown as unknown[];
  expect(rows).toHaveLength(1);
});
