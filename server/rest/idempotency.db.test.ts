import { describe, expect, test } from "vitest";
import { z } from "zod";
import { InsufficientVaultBalance } from "#server/failures";
import { testDatabase } from "#server/testing/database";
import { dispatchWorld } from "#server/testing/dispatch-world";
import { testContext } from "#server/testing/test-context";
import { defineEndpoint } from "./endpoint";

const given = { description: "", tag: "Test", scopes: [], fails: [], idempotent: true } as const;
let handled = 0;
let mood: "good" | "refusing" | "broken" = "good";
let gate: Promise<void> | undefined;

const make = defineEndpoint({
  ...given,
  method: "POST",
  path: "/thing",
  title: "Make",
  did: "Tried",
  body: z.object({ amount: z.int() }),
  returns: z.object({ made: z.int(), amount: z.int() }),
  handle: async ({ body }) => {
    handled += 1;
    await gate;
    if (mood === "refusing") throw InsufficientVaultBalance.because();
    if (mood === "broken") throw new Error("a fault of ours");
    return { made: handled, amount: body.amount };
  },
});
const other = defineEndpoint({
  ...given,
  method: "POST",
  path: "/other",
  title: "Other",
  did: "Tried",
  body: make.body,
  handle: () => {},
});

const { ctx, clock } = await testContext({ database: await testDatabase() });
const world = dispatchWorld(ctx, [make, other]);
const first = world.know("first", { clientId: "one" });
world.know("same", { clientId: "one", accountId: first.accountId });
world.know("another", { clientId: "two", accountId: first.accountId });

let keys = 0;
const newKey = () => `key-${++keys}`;
const post = (key: string, amount = 5, call: { token?: string; path?: string } = {}) =>
  world.call(call.path ?? "/api/v1/thing", {
    method: "POST",
    token: call.token ?? "first",
    headers: { "idempotency-key": key },
    body: { amount },
  });

describe("a call with an Idempotency-Key", () => {
  test("is carried out once; the same again gets the first answer, byte for byte", async () => {
    const key = newKey();
    const before = handled;
    const answers = [await post(key), await post(key), await post(key, 5, { token: "same" })];
    expect(new Set(answers.map((answer) => answer.text)).size).toBe(1);
    expect(answers.map((answer) => answer.status)).toEqual([200, 200, 200]);
    expect(handled).toBe(before + 1);
  });

  test("conflicts with another body or another address under the same key", async () => {
    const key = newKey();
    await post(key, 5);
    const conflict = { code: 1700, name: "IdempotencyConflict" };
    expect(await post(key, 6)).toMatchObject({ status: 409, json: conflict });
    expect(await post(key, 5, { path: "/api/v1/other" })).toMatchObject({
      status: 409,
      json: conflict,
    });
  });

  const spelled = (key: string, body: string) =>
    world.call("/api/v1/thing", {
      method: "POST",
      token: "first",
      headers: { "idempotency-key": key },
      body,
    });

  test.each([
    [
      "the order of names",
      '{"amount":5,"note":{"a":1,"b":[1,2]}}',
      '{"note":{"b":[1,2],"a":1},"amount":5}',
    ],
    ["white space", '{"amount":5}', '\r\n{ "amount" :\t5 }\n'],
    ["the spelling of a number", '{"amount":500}', '{"amount":5.0e2}'],
    ["a zero with a sign", '{"amount":5,"x":0}', '{"amount":5,"x":-0.0}'],
    [
      "the spelling of a number beyond 2^53",
      '{"amount":5,"x":1e20}',
      '{"amount":5,"x":100000000000000000000}',
    ],
    [
      "escapes in text",
      '{"amount":5,"note":"é/\\n😀"}',
      '{"\\u0061mount":5,"note":"\\u00e9\\/\\u000a\\ud83d\\ude00"}',
    ],
    ["a name that is given twice", '{"amount":5}', '{"amount":6,"amount":5}'],
  ])("is the same request whatever %s", async (_, one, other) => {
    const key = newKey();
    const first = await spelled(key, one);
    expect([first.status, (await spelled(key, other)).text]).toEqual([200, first.text]);
  });

  test.each([
    ["the order of a list", '{"amount":5,"note":[1,2]}', '{"amount":5,"note":[2,1]}'],
    ["text for a number", '{"amount":5,"note":1}', '{"amount":5,"note":"1"}'],
    [
      "the last digit beyond 2^53",
      '{"amount":5,"x":9007199254740993}',
      '{"amount":5,"x":9007199254740992}',
    ],
    ["null for nothing", '{"amount":5}', '{"amount":5,"note":null}'],
    ["an empty list for an empty object", '{"amount":5,"note":[]}', '{"amount":5,"note":{}}'],
    [
      "a name that holds what divides names",
      '{"amount":5,"a\\":1,\\"b":2}',
      '{"amount":5,"a":1,"b":2}',
    ],
    ["capitals", '{"amount":5,"note":"A"}', '{"amount":5,"note":"a"}'],
  ])("is another request with %s", async (_, one, other) => {
    const key = newKey();
    expect([(await spelled(key, one)).status, (await spelled(key, other)).status]).toEqual([
      200, 409,
    ]);
  });

  test("conflicts while the first is still running", async () => {
    const key = newKey();
    const { promise, resolve: open } = Promise.withResolvers<void>();
    gate = promise;
    // Which of two is the first is for the database to say.
    const both = [post(key), post(key)];
    expect((await Promise.race(both)).status).toBe(409);
    open();
    gate = undefined;
    const answers = await Promise.all(both);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect((await post(key)).text).toBe(answers.find(({ status }) => status === 200)?.text);
  });

  test("is not confused with the same key of another application", async () => {
    const key = newKey();
    const mine = await post(key);
    expect((await post(key, 5, { token: "another" })).text).not.toBe(mine.text);
  });

  test("that a rule refused is refused in the same way again", async () => {
    const key = newKey();
    mood = "refusing";
    const refused = await post(key);
    mood = "good";
    expect(await post(key)).toMatchObject({ status: 422, text: refused.text });
  });

  test("that failed on our side may be tried again", async () => {
    const key = newKey();
    mood = "broken";
    expect((await post(key)).status).toBe(500);
    mood = "good";
    expect((await post(key)).status).toBe(200);
  });

  test("is forgotten after 24 hours", async () => {
    const key = newKey();
    const before = await post(key);
    clock.advance(24 * 3_600 - 1);
    expect((await post(key)).text).toBe(before.text);
    clock.advance(1);
    expect((await post(key)).text).not.toBe(before.text);
  });

  test("replays an answer without a body as well", async () => {
    const key = newKey();
    const call = { path: "/api/v1/other" };
    expect([await post(key, 1, call), await post(key, 1, call)]).toMatchObject([
      { status: 204 },
      { status: 204, text: "" },
    ]);
  });

  test.each(["", "two words", "ü", "x".repeat(256)])(
    "needs a readable key, not %j",
    async (key) => {
      const headers = { "idempotency-key": encodeURI(key) === key ? key : "\u00fc" };
      const answer = await world.call("/api/v1/thing", {
        method: "POST",
        token: "first",
        headers,
        body: { amount: 1 },
      });
      expect(answer).toMatchObject({
        status: 400,
        json: { details: { errors: [{ field: "Idempotency-Key" }] } },
      });
    },
  );
});
