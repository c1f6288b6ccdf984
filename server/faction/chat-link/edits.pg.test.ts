import { expect, test } from "vitest";
import { refreshServer } from "#server/chat/refresh-servers";
import { startChatApi } from "#server/testing/chat-api-double";
import { twoInstances } from "#server/testing/two-instances";
import { mintFaction, mintUser } from "#server/testing/world";
import { chooseChatServer, linkForDemo, setBankingChannel } from "./link-acts";
import { findChatLinkSides } from "./store";

const api = await startChatApi();
const { here, there } = await twoInstances({ chatBot: api.settings });
const { ctx } = here;
const instances = [here.ctx, there.ctx];
const ownerId = 710_000_000_000_000_001n;
const channels = Array.from({ length: 10 }, (_, index) => 710_000_000_000_000_100n + BigInt(index));
const serverIds = Array.from(
  { length: 10 },
  (_, index) => 710_000_000_000_000_200n + BigInt(index),
);
for (const [index, id] of serverIds.entries()) {
  api.servers.push({
    id: String(id),
    name: `Hall ${index}`,
    owner_id: String(ownerId),
    roles: [],
    members: [],
    channels: channels.map((channel) => ({
      id: String(channel),
      name: `vault-${channel}`,
      type: 0,
      position: 0,
    })),
  });
  await refreshServer(ctx, id);
}
const [serverId = 0n] = serverIds;
const [channelId = 0n, ...otherChannels] = channels;

async function linkedFaction() {
  const { id: factionId } = await mintFaction(ctx);
  await linkForDemo(ctx, { factionId, serverId, channelId, roleIds: [] });
  const leader = () => mintUser(ctx, { factionId, factionSeen: ctx.now(), positionName: "Leader" });
  return { factionId, leader };
}

const sides = (factionId: number) => findChatLinkSides(there.ctx.database.query, factionId);
const named = async (factionId: number) => (await sides(factionId))?.serverId ?? null;

test("of nine choices of a banking channel that began with the same page one is saved, and the others are told", async () => {
  const { factionId } = await linkedFaction();
  const administrator = await mintUser(ctx, { chatId: ownerId });
  const shown = { channelId, roleIds: [] };
  const outcomes = await Promise.all(
    otherChannels.map((channel, index) => {
      const choice = { serverId, factionId, channelId: channel, roleIds: [], shown };
      return setBankingChannel(instances[index % 2] ?? ctx, administrator, choice);
    }),
  );
  expect(outcomes.filter((outcome) => outcome === "saved")).toHaveLength(1);
  expect((await sides(factionId))?.channelId).toBe(otherChannels[outcomes.indexOf("saved")]);
});

test("of two leaders who name different servers at once one is told that the other was first", async () => {
  const { factionId, leader } = await linkedFaction();
  const leaders = [await leader(), await leader()];
  for (let round = 1; round < 8; round += 1) {
    const shown = await named(factionId);
    const wishes = serverIds.filter((id) => id !== shown).slice(0, 2);
    const outcomes = await Promise.all(
      wishes.map((requested, index) => {
        const user = leaders[index];
        if (!user) throw new Error("There are two leaders.");
        return chooseChatServer(instances[index] ?? ctx, user, {
          serverId: requested,
          shown,
        });
      }),
    );
    expect([...outcomes].sort()).toEqual(["outdated", "saved"]);
    expect(await named(factionId)).toBe(wishes[outcomes.indexOf("saved")]);
  }
});
