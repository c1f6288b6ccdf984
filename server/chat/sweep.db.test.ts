import { expect, test } from "vitest";
import { proofs } from "#db/schema/accounts";
import { chatMessages } from "#db/schema/chat";
import { settlingSeconds } from "#db/sweep";
import { testDatabase } from "#server/testing/database";
import { sweepAll } from "#server/testing/sweep-all";
import { testContext } from "#server/testing/test-context";
import { deliverDue, queueChatMessages } from "./deliver-message";
import { noteInteraction } from "./store";

const { ctx, clock } = await testContext({ database: await testDatabase() });
const on = ctx.database.query;
const day = 86_400;
const left = async () => ({
  messages: (await on.select().from(chatMessages)).map(({ subject }) => subject),
  interactions: (await on.select().from(proofs)).length,
});

test("direct messages are kept for a week, cards for ninety days, and ids of acts for a day", async () => {
  const message = { text: "x" };
  const letter = { subject: "letter", to: { recipientId: 5n }, message };
  const card = { subject: "card", to: { channelId: 6n }, message };
  await queueChatMessages(on, [letter, card], ctx.now());
  await noteInteraction(on, 7n, ctx.now());
  await deliverDue(ctx);
  const after = async (days: number) => {
    clock.advance(days * day);
    await sweepAll(ctx);
    return left();
  };
  clock.advance(-60);
  expect(await after(1)).toEqual({ messages: ["letter", "card"], interactions: 1 });
  clock.advance(60 + settlingSeconds);
  expect(await after(0)).toEqual({ messages: ["letter", "card"], interactions: 0 });
  expect((await after(6)).messages).toEqual(["card"]);
  expect((await after(82)).messages).toEqual(["card"]);
  expect((await after(1)).messages).toEqual([]);
});
