import { describe, expect, test } from "vitest";
import { startChatApi } from "#server/testing/chat-api-double";
import {
  pressed,
  chatPublicKey as publicKey,
  type SentInteraction,
  signedRequest,
  typed,
} from "#server/testing/chat-user";
import { testDatabase } from "#server/testing/database";
import { testContext } from "#server/testing/test-context";
import { answerInteraction, type ExecuteChatCommand, type Interaction } from "./interactions";
import type { ChatMessage } from "./message";

const api = await startChatApi();
const { ctx, log } = await testContext({
  database: await testDatabase(),
  settings: { chatBot: api.settings },
});
const who = { chatId: 1_234_567_890_123_456_789n, serverId: 2_234_567_890_123_456_781n };
const peer = { address: "192.0.2.7" };
const acts: Interaction[] = [];
const done: ExecuteChatCommand = async (_ctx, act) => {
  acts.push(act);
  return { text: "Done" };
};
const post = async (
  sent: SentInteraction,
  execute: ExecuteChatCommand = done,
  timeoutMs = 2_000,
) => {
  const answer = await answerInteraction(
    ctx,
    { request: signedRequest(ctx, sent), peer },
    { publicKey, execute, timeoutMs },
  );
  return { status: answer.status, json: await answer.json() };
};
const now = () => Math.floor(ctx.now().getTime() / 1_000);

describe("the signature", () => {
  test("of a ping is answered with its like, so that the chat accepts the address", async () => {
    expect(await post({ body: '{"type":1}' })).toEqual({ status: 200, json: { type: 1 } });
  });

  test.each([
    ["wrong", { signature: "00".repeat(64) }],
    ["no signature", { signature: "nonsense" }],
    ["of another time", { signature: "00".repeat(64), timestamp: now() }],
    ["five minutes old and more", { timestamp: now() - 301 }],
    ["from the future", { timestamp: now() + 301 }],
  ])("that is %s is refused, and nothing is done", async (_words, fault) => {
    acts.splice(0);
    expect((await post({ body: typed(who, "balance"), ...fault })).status).toBe(401);
    expect(acts).toEqual([]);
  });

  test("covers the body: another one is refused", async () => {
    const signature =
      signedRequest(ctx, { body: '{"type":1}' }).headers.get("x-signature-ed25519") ?? "";
    expect((await post({ body: '{"type":1} ', signature })).status).toBe(401);
  });

  test("counts under the key of the settings alone", async () => {
    const request = signedRequest(ctx, { body: '{"type":1}' });
    const answer = await answerInteraction(
      ctx,
      { request, peer },
      { publicKey: "ab".repeat(32), execute: done },
    );
    expect(answer.status).toBe(401);
  });

  test("is asked for before anything is read, and only of a POST of a bounded size", async () => {
    const plain = (init: RequestInit) =>
      answerInteraction(
        ctx,
        { request: new Request("http://localhost/chat/interactions", init), peer },
        { publicKey, execute: done },
      );
    expect((await plain({ method: "POST", body: '{"type":1}' })).status).toBe(401);
    expect((await plain({})).status).toBe(405);
    expect((await plain({ method: "POST", body: "x".repeat(70_000) })).status).toBe(413);
  });
});

test.each([
  "",
  "{",
  "[]",
  '{"type":9}',
  '{"type":2}',
  '{"type":2,"id":"1","application_id":"1","token":"t","data":{"name":"x"}}',
])("a signed %j is no act", async (body) => {
  expect((await post({ body })).status).toBe(400);
});

describe("an act", () => {
  test("is read with its exact ids and values, and its answer is seen by the user alone", async () => {
    acts.splice(0);
    const { json } = await post({ body: typed(who, "withdraw", { amount: "1m", id: 5 }) });
    expect(json).toMatchObject({
      type: 4,
      data: { flags: 64, content: "Done", allowed_mentions: { parse: [] } },
    });
    expect(acts).toMatchObject([{ ...who, act: { kind: "command", name: "withdraw" } }]);
    const [first] = acts;
    expect(first?.act.kind === "command" && [...first.act.values]).toEqual([
      ["amount", "1m"],
      ["id", 5],
    ]);
    await post({ body: pressed({ ...who, serverId: null }, "vault:cancel:3") });
    expect(acts.at(-1)).toMatchObject({
      serverId: null,
      act: { kind: "button", action: "vault:cancel:3" },
    });
  });

  test("that comes twice is done once, also when both come at the same moment", async () => {
    acts.splice(0);
    const body = typed(who, "withdraw");
    const answers = await Promise.all([post({ body }), post({ body }), post({ body })]);
    expect(acts).toHaveLength(1);
    expect(answers.map(({ json }) => json.data.content).sort()).toEqual([
      "Done",
      "This was received already.",
      "This was received already.",
    ]);
  });

  test("that takes longer than the chat waits is answered at once, and told of later", async () => {
    // Created early: the answer may come before the act begins.
    const { promise: finished, resolve: finish } = Promise.withResolvers<ChatMessage>();
    const slow: ExecuteChatCommand = () => finished;
    const { json } = await post({ body: typed(who, "balance") }, slow, 10);
    expect(json).toEqual({ type: 5, data: { flags: 64 } });
    finish({ text: "Ready" });
    await ctx.settled();
    expect(api.calls.at(-1)).toMatchObject({
      method: "PATCH",
      path: "/webhooks/1400000000000000001/token-of-the-interaction/messages/@original",
      body: { content: "Ready" },
    });
  });

  test("that fails without a reason says so and no more, and the log does not hold the interaction's secret", async () => {
    const { json } = await post({ body: typed(who, "balance") }, async () => {
      throw new Error("the inside of it");
    });
    expect(json.data.content).toMatch(/^Something went wrong on our side/);
    expect(JSON.stringify(json)).not.toContain("the inside");
    expect(JSON.stringify(log.lines)).not.toContain("token-of-the-interaction");
  });

  test("is refused kindly where one person does too many in a minute", async () => {
    const busy = { ...who, chatId: 77n };
    const answers: string[] = [];
    for (let at = 0; at < 31; at++)
      answers.push((await post({ body: typed(busy, "balance") })).json.data.content);
    expect(answers.filter((text) => text === "Done")).toHaveLength(30);
    expect(answers.at(-1)).toMatch(/^Too many commands/);
  });
});
