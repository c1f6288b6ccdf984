import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { z } from "zod";
import { testDatabase } from "#server/testing/database";
import { dispatchWorld } from "#server/testing/dispatch-world";
import { testContext } from "#server/testing/test-context";
import { defineEndpoint } from "./endpoint";

const calls = 50;
let handled = 0;
/** Ends when every other call has its answer: the one that is carried out is still running until then. */
const { promise: othersAnswered, resolve: release } = Promise.withResolvers<void>();
const make = defineEndpoint({
  method: "POST",
  path: "/thing",
  title: "Make",
  did: "Tried",
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

test("a call whose work was done, but whose connection broke before it knew, is not done again", async () => {
  const { ctx } = await testContext({ database: await testDatabase() });
  const { database } = ctx;
  await database.script("create table made (at timestamptz default now())");
  const others = () => database.query.execute(sql`select 1`).then(Boolean, () => false);
  const breaking = {
    ...make,
    path: "/breaking",
    handle: async () => {
      const commitAndBreak = sql`do $$ begin
        insert into made default values;
        commit;
        perform pg_terminate_backend(pg_backend_pid());
      end $$`;
      const broken = await database.query.execute(commitAndBreak).catch((error: unknown) => error);
      // One connection is gone, and those that live on could give the key back.
      await expect.poll(others).toBe(true);
      throw broken;
    },
  };
  const world = dispatchWorld(ctx, [breaking]);
  world.know("token");
  const call = async () => {
    const headers = { "idempotency-key": "one" };
    return (await world.call("/api/v1/breaking", { method: "POST", token: "token", headers }))
      .status;
  };
  expect(await call()).toBe(503);
  const made = async () =>
    (await database.query.execute(sql`select at from made`)) as unknown as unknown[];
  expect(await made()).toHaveLength(1);
  expect(await call()).toBe(409);
  expect(await made()).toHaveLength(1);
});
