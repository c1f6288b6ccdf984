import { expect, test } from "vitest";
import { z } from "zod";
import { testDatabase } from "#server/testing/database";
import { dispatchWorld } from "#server/testing/dispatch-world";
import { testContext } from "#server/testing/test-context";
import { endpoint } from "./endpoint";

let handled = 0;
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
  handle: () => ++handled,
});

test("of 50 parallel calls with one Idempotency-Key one is carried out", async () => {
  const { ctx } = await testContext({ database: await testDatabase() });
  const world = dispatchWorld(ctx, [make]);
  world.know("token");
  const call = { method: "POST", token: "token", headers: { "idempotency-key": "one" } };
  const answers = await Promise.all(Array.from({ length: 50 }, () => world.call("/api/v1/thing", call)));
  expect(handled).toBe(1);
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 409]));
  for (const { status, json } of answers)
    expect(json).toEqual(status === 200 ? 1 : expect.objectContaining({ code: 1700 }));
});
