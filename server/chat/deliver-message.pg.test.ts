import { expect, test } from "vitest";
import { chatMessages } from "#db/schema/chat";
import { startChatApi } from "#server/testing/chat-api-double";
import { testDatabase } from "#server/testing/database";
import { testContext } from "#server/testing/test-context";
import type { ChatClient } from "./client";
import { deliverDue, queueChatMessages } from "./deliver-message";
import { claimDueMessage } from "./store";

const api = await startChatApi();
const settings = { chatBot: api.settings };
const one = await testContext({ database: await testDatabase(), settings });
const { ctx } = one;
const other = await testContext({ database: ctx.database, settings, beside: one });
const channelId = 1_234_567_890_123_456_789n;
const queue = (subject: string, text: string) =>
  queueChatMessages(
    ctx.database.query,
    [{ subject, to: { channelId }, message: { text } }],
    ctx.now(),
  );
const claim = async () =>
  (await claimDueMessage(ctx.database.query, ctx.now())).map((each) => each.subject);
const endLeases = () => ctx.database.query.update(chatMessages).set({ leaseUntil: new Date(0) });
/** The dead process's worker lives on in this one, and may extend its lease in between. */
const afterItsLease = () =>
  expect
    .poll(async () => {
      await endLeases();
      return (await deliverDue(other.ctx)).delivered;
    })
    .toBe(1);

test("two instances that deliver at the same moment post each message once", async () => {
  for (let at = 0; at < 40; at++) await queue(`both:${at}`, `message ${at}`);
  const counts = await Promise.all([
    deliverDue(ctx),
    deliverDue(other.ctx),
    deliverDue(ctx),
    deliverDue(other.ctx),
  ]);
  expect(counts.map(({ delivered }) => delivered).reduce((sum, count) => sum + count)).toBe(40);
  // The idempotency key would hide a second post, so calls are counted.
  expect(api.calls.filter(({ method }) => method === "POST")).toHaveLength(40);
  expect(new Set(api.messages.map(({ body }) => body.content)).size).toBe(40);
});

test("a version that comes while an older one is on its way is shown last, and by nobody before that is done", async () => {
  await queue("late", "old");
  const { promise: held, resolve: letGo } = Promise.withResolvers<void>();
  const { promise: underWay, resolve: reached } = Promise.withResolvers<void>();
  const slow: ChatClient = {
    ...ctx.chat,
    postMessage: async (...args) => {
      reached();
      await held;
      return ctx.chat.postMessage(...args);
    },
  };
  const first = deliverDue({ ...ctx, chat: slow });
  await underWay;
  await queue("late", "new");
  expect(await deliverDue(other.ctx)).toMatchObject({ delivered: 0 });
  letGo();
  expect(await first).toMatchObject({ delivered: 2 });
  expect(
    api.messages.filter(({ body }) => ["old", "new"].includes(String(body.content))),
  ).toHaveLength(1);
  expect(api.messages.at(-1)?.body.content).toBe("new");
});

test("what a killed process had claimed is delivered by another one when its lease ends", async () => {
  await queue("orphan", "still told");
  expect(await claim()).toEqual(["orphan"]);
  expect(await deliverDue(other.ctx)).toMatchObject({ delivered: 0 });
  await endLeases();
  expect(await deliverDue(other.ctx)).toMatchObject({ delivered: 1 });
  expect(api.messages.at(-1)?.body.content).toBe("still told");
});

test("a process killed between post and note leaves one message, and its newest state", async () => {
  await queue("killed", "waiting");
  const dying: ChatClient = {
    ...ctx.chat,
    postMessage: async (...args) => {
      await ctx.chat.postMessage(...args);
      // Nothing runs after the post, as after a kill −9.
      return new Promise(() => {});
    },
  };
  void deliverDue({ ...ctx, chat: dying });
  await expect.poll(() => api.messages.at(-1)?.body.content).toBe("waiting");
  await queue("killed", "cancelled");
  await afterItsLease();
  expect(
    api.messages.filter(({ body }) => ["waiting", "cancelled"].includes(String(body.content))),
  ).toHaveLength(1);
  expect(api.messages.at(-1)?.body.content).toBe("cancelled");
});

test("a process whose lease was taken over notes nothing any more", async () => {
  await queue("stale", "first");
  const held = new Promise<void>(() => {});
  const stuck: ChatClient = {
    ...ctx.chat,
    postMessage: () => held.then(() => ({ messageId: 1n })),
  };
  void deliverDue({ ...ctx, chat: stuck });
  await expect.poll(claim).toEqual([]);
  await afterItsLease();
  const [row] = (await ctx.database.query.select().from(chatMessages)).filter(
    ({ subject }) => subject === "stale",
  );
  expect(row).toMatchObject({ delivered: 1, leaseUntil: null });
});
