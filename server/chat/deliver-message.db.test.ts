import { beforeEach, describe, expect, test } from "vitest";
import { chatMessages } from "#db/schema/chat";
import { startChatApi } from "#server/testing/chat-api-double";
import { testDatabase } from "#server/testing/database";
import { testContext } from "#server/testing/test-context";
import {
  countUndeliveredMessages,
  deliverDue,
  deliverSoon,
  queueChatMessages,
} from "./deliver-message";
import type { DesiredMessage } from "./message";

const api = await startChatApi();
const { ctx, clock, log } = await testContext({
  database: await testDatabase(),
  settings: { chatBot: api.settings },
});
const channelId = 1_234_567_890_123_456_789n;
const queue = (subject: string, text: string, to: DesiredMessage["to"] = { channelId }) =>
  queueChatMessages(ctx.database.query, [{ subject, to, message: { text } }], ctx.now());
const texts = () => api.messages.map(({ body }) => body.content);
const row = async (subject: string) =>
  (await ctx.database.query.select().from(chatMessages)).find((one) => one.subject === subject);
/** Each test has its own messages in the double of the API. */
beforeEach(async () => {
  await ctx.database.query.delete(chatMessages);
  api.wipe();
  api.forgetMarks();
  api.calls.splice(0);
  clock.advance(3_600);
});

describe("a message", () => {
  test("is posted once, and edited where it stands when a later version replaces it", async () => {
    await queue("request:1", "waiting");
    expect(await deliverDue(ctx)).toMatchObject({ delivered: 1 });
    expect(await deliverDue(ctx)).toMatchObject({ delivered: 0 });
    await queue("request:1", "paid", { channelId: 99n });
    expect(await deliverDue(ctx)).toMatchObject({ delivered: 1 });
    expect(api.messages.map(({ channel, body }) => [channel, body.content])).toEqual([
      [String(channelId), "paid"],
    ]);
  });

  test("of which an older version was never posted appears in its newest alone", async () => {
    await queue("request:2", "waiting");
    await queue("request:2", "cancelled");
    await deliverDue(ctx);
    expect(texts()).toEqual(["cancelled"]);
    expect(api.calls).toHaveLength(1);
  });

  test("to one person goes to the direct channel, and its edit too", async () => {
    await queue("told:1", "paid", { recipientId: 1_234_567_890_123_456_781n });
    await deliverDue(ctx);
    await queue("told:1", "not paid after all", { recipientId: 1_234_567_890_123_456_781n });
    await deliverDue(ctx);
    expect(api.messages.map(({ channel }) => channel)).toEqual(["1234567890123456782"]);
    expect(texts()).toEqual(["not paid after all"]);
  });

  test("whose transaction is rolled back is never sent", async () => {
    const failing = ctx.database.transaction(async (tx) => {
      await queueChatMessages(
        tx,
        [{ subject: "request:3", to: { channelId }, message: { text: "no" } }],
        ctx.now(),
      );
      throw new Error("rolled back");
    });
    await expect(failing).rejects.toThrow("rolled back");
    await deliverDue(ctx);
    expect(api.calls).toEqual([]);
  });

  test("goes out right after the answer where delivery is asked for", async () => {
    await queue("request:4", "now");
    deliverSoon(ctx);
    await ctx.settled();
    expect(texts()).toEqual(["now"]);
  });
});

describe("a failed delivery", () => {
  test("is tried again after growing waits, and the state is not lost", async () => {
    api.fail({ when: "POST /channels", status: 502, times: 3 });
    await queue("request:10", "waiting");
    for (const wait of [5, 10, 20]) {
      expect(await deliverDue(ctx)).toMatchObject({ failed: 1 });
      clock.advance(wait - 1);
      expect(await deliverDue(ctx)).toMatchObject({ failed: 0, delivered: 0 });
      clock.advance(1);
    }
    expect(await deliverDue(ctx)).toMatchObject({ delivered: 1 });
    expect(await row("request:10")).toMatchObject({
      delivered: 1,
      attempts: 0,
      dueAt: null,
      lastError: null,
    });
  });

  test("waits as long as the chat asks, and that is no attempt", async () => {
    api.fail({ when: "POST /channels", status: 429, body: { retry_after: 30 } });
    await queue("request:11", "waiting");
    expect(await deliverDue(ctx)).toMatchObject({ postponed: 1 });
    clock.advance(29);
    expect(await deliverDue(ctx)).toMatchObject({ postponed: 0, delivered: 0 });
    clock.advance(1);
    expect(await deliverDue(ctx)).toMatchObject({ delivered: 1 });
    expect(api.calls).toHaveLength(2);
  });

  test("that will never go well is given up, told in the log and counted, and a later version tries again", async () => {
    api.fail({ when: "POST /channels", status: 403, body: { code: 50_013 } });
    await queue("request:12", "waiting");
    expect(await deliverDue(ctx)).toMatchObject({ givenUp: 1 });
    expect(await row("request:12")).toMatchObject({ dueAt: null, delivered: 0 });
    expect((await row("request:12"))?.lastError).toContain("HTTP 403, code 50013");
    expect(log.lines.map(({ message }) => message)).toContain("a chat message was given up");
    expect(await countUndeliveredMessages(ctx.database.query)).toEqual({ waiting: 0, givenUp: 1 });
    await queue("request:12", "cancelled");
    expect(await countUndeliveredMessages(ctx.database.query)).toEqual({ waiting: 1, givenUp: 0 });
    await deliverDue(ctx);
    expect(texts()).toEqual(["cancelled"]);
  });

  test("ends after thirty attempts", async () => {
    api.fail({ when: "POST /channels", status: 500, times: 30 });
    await queue("request:13", "waiting");
    for (let attempt = 1; attempt < 30; attempt++) {
      expect(await deliverDue(ctx)).toMatchObject({ failed: 1 });
      clock.advance(900);
    }
    expect(await deliverDue(ctx)).toMatchObject({ givenUp: 1 });
  });

  test("of a direct message to somebody who takes none stops nothing else", async () => {
    api.fail({ when: "POST /users/@me/channels", status: 403, body: { code: 50_007 } });
    await queue("told:2", "paid", { recipientId: 5n });
    await queue("request:14", "paid");
    expect(await deliverDue(ctx)).toMatchObject({ givenUp: 1, delivered: 1 });
  });

  test("of what is no message is given up", async () => {
    await queue("request:15", "x");
    await ctx.database.query.update(chatMessages).set({ message: { card: "?" } });
    expect(await deliverDue(ctx)).toMatchObject({ givenUp: 1 });
  });
});

test("a message that somebody deleted in the chat stays deleted", async () => {
  await queue("request:20", "waiting");
  await deliverDue(ctx);
  api.wipe();
  await queue("request:20", "paid");
  expect(await deliverDue(ctx)).toMatchObject({ dropped: 1 });
  expect(texts()).toEqual([]);
  expect(await countUndeliveredMessages(ctx.database.query)).toEqual({ waiting: 0, givenUp: 0 });
});

describe("a post whose answer was lost", () => {
  test("is not posted again: the chat knows its mark", async () => {
    api.fail({ when: "POST /channels", answerLost: true });
    await queue("request:30", "waiting");
    expect(await deliverDue(ctx)).toMatchObject({ failed: 1 });
    clock.advance(5);
    expect(await deliverDue(ctx)).toMatchObject({ delivered: 1 });
    expect(texts()).toEqual(["waiting"]);
  });

  test("shows the newest version, where a later version came meanwhile", async () => {
    api.fail({ when: "POST /channels", answerLost: true });
    await queue("request:31", "waiting");
    await deliverDue(ctx);
    await queue("request:31", "paid");
    await deliverDue(ctx);
    expect(texts()).toEqual(["paid"]);
  });

  test("is edited later, where the edit that must follow it fails", async () => {
    api.fail({ when: "POST /channels", answerLost: true });
    api.fail({ when: "PATCH /channels", status: 500 });
    await queue("request:32", "waiting");
    await deliverDue(ctx);
    await queue("request:32", "paid");
    expect(await deliverDue(ctx)).toMatchObject({ failed: 1 });
    clock.advance(60);
    api.forgetMarks();
    await deliverDue(ctx);
    expect(texts()).toEqual(["paid"]);
  });
});
