import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { chatServerFactions, chatServers } from "#db/schema/chat";
import { type DoubleServer, startChatApi } from "#server/testing/chat-api-double";
import { testDatabase } from "#server/testing/database";
import { testContext } from "#server/testing/test-context";
import { refreshServers } from "./refresh-servers";

const api = await startChatApi();
const { ctx, clock } = await testContext({
  database: await testDatabase(),
  settings: { chatBot: api.settings },
});
const on = ctx.database.query;
const hall: DoubleServer = {
  id: "1234567890123456789",
  name: "The Hall",
  owner_id: "1234567890123456701",
  roles: [{ id: "21", name: "Captain", permissions: "8", position: 1 }],
  members: [
    { user: { id: "1234567890123456703" }, roles: ["21"] },
    { user: { id: "1234567890123456705" }, roles: [] },
  ],
  channels: [],
};
const other: DoubleServer = { ...hall, id: "55", name: "Other", owner_id: "7", members: [] };
api.servers.push(hall, other);

const serverIds = async () => (await on.select().from(chatServers)).map(({ id }) => id).sort();
const admins = async (serverId: bigint) =>
  (await on.select().from(chatServers).where(eq(chatServers.id, serverId)))[0]?.adminIds ?? [];
const run = () => {
  clock.advance(3_600);
  return refreshServers(ctx);
};

test("the servers that the bot is in are known, with owner and administrators and nobody else", async () => {
  expect(await run()).toEqual({ refreshed: 2, failed: 0, forgotten: 0 });
  expect(await serverIds()).toEqual([1_234_567_890_123_456_789n, 55n]);
  expect((await admins(1_234_567_890_123_456_789n)).sort()).toEqual([
    1_234_567_890_123_456_701n,
    1_234_567_890_123_456_703n,
  ]);
});

test("who lost the role, or the ownership, administers the server no more", async () => {
  hall.members = [];
  hall.owner_id = "9";
  await run();
  expect(await admins(1_234_567_890_123_456_789n)).toEqual([9n]);
});

test("a server whose members we may not list is its owner's alone; a fault of the chat changes nobody's rights", async () => {
  hall.members = [{ user: { id: "11" }, roles: ["21"] }];
  await run();
  api.fail({ when: `/guilds/${hall.id}/members`, status: 500 });
  await run();
  expect((await admins(BigInt(hall.id))).sort()).toEqual([11n, 9n].sort());
  api.fail({ when: `/guilds/${hall.id}/members`, status: 403 });
  await run();
  expect(await admins(BigInt(hall.id))).toEqual([9n]);
});

test("a failed or short listing forgets no server, and no channel that was chosen", async () => {
  await on.insert(chatServerFactions).values({ serverId: 55n, factionId: 7, bankingRoleIds: [] });
  api.fail({ when: "GET /users/@me/guilds", status: 500 });
  await expect(run()).rejects.toThrow("HTTP 500");
  api.fail({ when: "GET /users/@me/guilds", status: 200, body: [] });
  expect(await run()).toMatchObject({ refreshed: 2, forgotten: 0 });
  expect(await serverIds()).toHaveLength(2);
  expect(await on.select().from(chatServerFactions)).toHaveLength(1);
});

test("a server that the bot left is forgotten with all that it listed", async () => {
  api.servers.pop();
  expect(await run()).toEqual({ refreshed: 1, failed: 0, forgotten: 1 });
  expect(await serverIds()).toEqual([1_234_567_890_123_456_789n]);
  expect(await on.select().from(chatServerFactions)).toEqual([]);
});
