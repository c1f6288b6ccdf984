import { expect, test } from "vitest";
import { z } from "zod";
import { testDatabase } from "#server/testing/database";
import { dispatchWorld } from "#server/testing/dispatch-world";
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
