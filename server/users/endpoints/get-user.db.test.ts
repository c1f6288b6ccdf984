import { expect, test } from "vitest";
import { callAs } from "#server/testing/call-as";
import { testDatabase } from "#server/testing/database";
import { testContext } from "#server/testing/test-context";
import { mintPlayer } from "#server/testing/world";

const database = await testDatabase();
const { ctx } = await testContext({ database });

test("a user's record has the seven fields of the specification and nothing else", async () => {
  const player = await mintPlayer(ctx, {
    name: "Ada_Quill",
    factionId: 7001,
    chatId: 42n,
    lastAction: new Date("2026-02-28T08:00:00.999Z"),
    lastRefresh: new Date("2026-03-01T11:00:00Z"),
  });
  const { status, json } = await callAs(ctx, { playerId: player.id, scopes: ["identity"] })(
    "/user",
  );
  expect(status).toBe(200);
  expect(json).toEqual({
    tid: player.id,
    name: "Ada_Quill",
    username: `Ada_Quill [${player.id}]`,
    last_refresh: 1_772_362_800,
    chat_id: 42,
    factiontid: 7001,
    last_action: 1_772_265_600,
  });
});

test("ER a chat id above 2^53 is a JSON integer with all its digits", async () => {
  const { id } = await mintPlayer(ctx, { chatId: 9_223_372_036_854_775_807n });
  const { text } = await callAs(ctx, { playerId: id, scopes: ["identity"] })("/user");
  expect(text).toContain('"chat_id":9223372036854775807,');
});

test("what is absent is null", async () => {
  const { id } = await mintPlayer(ctx, { lastRefresh: null });
  const { status, json } = await callAs(ctx, { playerId: id, scopes: ["identity"] })("/user");
  expect(status).toBe(200);
  expect(json).toMatchObject({
    last_refresh: null,
    chat_id: null,
    factiontid: null,
    last_action: null,
  });
});
