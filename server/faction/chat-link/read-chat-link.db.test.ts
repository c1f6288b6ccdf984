import { expect, test } from "vitest";
import { chatServerFactions, chatServers } from "#db/schema/chat";
import { testDatabase } from "#server/testing/database";
import { testContext } from "#server/testing/test-context";
import { mintFaction } from "#server/testing/world";
import { readChatLink } from "./read-chat-link";

const { ctx } = await testContext({ database: await testDatabase() });
const on = ctx.database.query;

/** Above 2^53: a JavaScript number would round it. */
const serverId = 1_234_567_890_123_456_789n;
await on.insert(chatServers).values({ id: serverId, name: "The Hall", lastRefresh: ctx.now() });

const linked = async (
  chatServerId: bigint | null,
  listed?: { channel: bigint | null; roles: bigint[] },
) => {
  const { id: factionId } = await mintFaction(ctx, { chatServerId });
  if (listed)
    await on.insert(chatServerFactions).values({
      serverId,
      factionId,
      bankingChannelId: listed.channel,
      bankingRoleIds: listed.roles,
    });
  return readChatLink(on, factionId);
};
const channel = 2_234_567_890_123_456_781n;

test("a faction that names no server has none, even where a server lists it", async () => {
  expect(await linked(null)).toEqual({ state: "no-server" });
  expect(await linked(null, { channel, roles: [] })).toEqual({ state: "no-server" });
});

test("a faction that names a server without our bot has none", async () => {
  expect(await linked(99n)).toEqual({ state: "no-server" });
});

test("a server that does not list the faction is not linked with it: both sides must agree", async () => {
  expect(await linked(serverId)).toEqual({ state: "not-listed" });
});

test("a link without a banking channel cannot show requests", async () => {
  expect(await linked(serverId, { channel: null, roles: [7n] })).toEqual({ state: "no-channel" });
});

test("channel and roles keep all their digits", async () => {
  const roles = [3_234_567_890_123_456_783n, 4n];
  expect(await linked(serverId, { channel, roles })).toEqual({
    state: "ready",
    serverId,
    channelId: channel,
    roleIds: roles,
  });
});

test("a faction that nobody knows has no server", async () => {
  expect(await readChatLink(on, 4_711)).toEqual({ state: "no-server" });
});
