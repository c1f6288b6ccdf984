import { beforeEach, describe, expect, test } from "vitest";
import { chatIdentities } from "#db/schema/accounts";
import { chatServers } from "#db/schema/chat";
import { factionPositions } from "#db/schema/faction";
import type { PortalUser } from "#server/actor";
import { listOwnHistory } from "#server/audit/read-events";
import { refreshServer } from "#server/chat/refresh-servers";
import { deleteServer } from "#server/chat/store";
import { isFailure } from "#server/failures";
import { type DoubleServer, startChatApi } from "#server/testing/chat-api-double";
import { testDatabase } from "#server/testing/database";
import { testContext } from "#server/testing/test-context";
import { mintFaction, mintUser } from "#server/testing/world";
import {
  addFactionListing,
  chooseChatServer,
  linkForDemo,
  removeFactionListing,
  setBankingChannel,
  setEventsChannel,
  showEventsChannel,
} from "./link-acts";
import {
  listAdministeredServers,
  readChatLink,
  requireAdministeredServer,
  showChatServer,
  showFactionChat,
} from "./read-chat-link";
import type { BankingSettings } from "./store";

const api = await startChatApi();
const { ctx, clock } = await testContext({
  database: await testDatabase(),
  settings: { chatBot: api.settings },
});
const on = ctx.database.query;
/** Above 2^53: a JavaScript number would round them. */
const serverId = 1_234_567_890_123_456_789n;
const ownerId = 1_234_567_890_123_456_701n;
const channelId = 1_234_567_890_123_456_711n;
const roleId = 1_234_567_890_123_456_721n;
const hall: DoubleServer = {
  id: String(serverId),
  name: "The Hall",
  owner_id: String(ownerId),
  roles: [{ id: String(roleId), name: "Bankers", permissions: "0", position: 1 }],
  members: [],
  channels: [{ id: String(channelId), name: "vault", type: 0, position: 0 }],
};
api.servers.push(hall);

beforeEach(() => clock.advance(60));
const world = async () => {
  const { id: factionId } = await mintFaction(ctx);
  const member = (fields: object = {}) =>
    mintUser(ctx, { factionId, factionSeen: ctx.now(), ...fields });
  return { factionId, member, leader: await member({ positionName: "Leader" }) };
};
const administrator = await mintUser(ctx, { chatId: ownerId });
const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => "done",
    (thrown: unknown) => (isFailure(thrown) ? thrown.kind.name : thrown),
  );
const nothing = { channelId: null, roleIds: [] };
/** Names a server with a fresh view of the current one. */
const name = async (user: PortalUser, server: bigint | null = serverId) => {
  const shown = (await showFactionChat(ctx, user))?.server?.serverId;
  return chooseChatServer(ctx, user, {
    serverId: server,
    shown: shown ? BigInt(shown) : null,
  });
};
const acts = async (user: PortalUser) =>
  (await listOwnHistory(ctx, user, undefined)).events.map(({ act }) => act);

describe("the faction's side", () => {
  test("is written by leaders and by members with faction API access, and by nobody else", async () => {
    const { factionId, member, leader } = await world();
    const plain = await member({ positionName: "Member" });
    expect(await codeOf(name(plain))).toBe("InsufficientFactionPermissions");
    expect((await showFactionChat(ctx, plain))?.mayChange).toBe(false);
    await name(leader);
    expect((await readChatLink(on, factionId)).state).toBe("not-listed");
    await on.insert(factionPositions).values({
      id: ctx.ids.uuid(),
      factionId,
      name: "Clerk",
      isDefault: false,
      abilities: ["Faction API Access"],
      lastSeen: ctx.now(),
    });
    await name(await member({ positionName: "Clerk", factionApiAccess: true }), null);
    expect((await readChatLink(on, factionId)).state).toBe("no-server");
  });

  test("of somebody who left the faction is the new faction's alone", async () => {
    const { factionId } = await world();
    expect(await codeOf(name(await mintUser(ctx)))).toBe("UnknownFaction");
    expect((await readChatLink(on, factionId)).state).toBe("no-server");
  });

  test("may name a server that the bot was invited to a moment ago", async () => {
    await on.delete(chatServers);
    const { factionId, leader } = await world();
    await name(leader);
    expect((await showFactionChat(ctx, leader))?.server).toEqual({
      serverId: String(serverId),
      name: "The Hall",
    });
    expect((await readChatLink(on, factionId)).state).toBe("not-listed");
  });

  test("cannot name a server without our bot, and asks the chat five times a minute at most", async () => {
    const { leader } = await world();
    for (let attempt = 0; attempt < 5; attempt++)
      expect(await codeOf(name(leader, 77n))).toBe("UnknownChatServer");
    expect(await codeOf(name(leader, 77n))).toBe("TooManyRequests");
  });

  test("is not changed while the chat does not answer for an unknown server", async () => {
    const { leader } = await world();
    api.fail({ when: "GET /guilds/78", status: 503 });
    expect(await codeOf(name(leader, 78n))).toBe("ServiceUnavailable");
    expect((await showFactionChat(ctx, leader))?.server).toBeNull();
  });

  test("stands in the history once for each change", async () => {
    const { leader } = await world();
    for (const server of [serverId, serverId, null, null]) await name(leader, server);
    expect((await acts(leader)).filter((act) => act.startsWith("faction_chat"))).toEqual([
      "faction_chat.cleared",
      "faction_chat.named",
    ]);
  });

  test("is not changed by a leader who looked before another one named a server", async () => {
    const { member, leader } = await world();
    const other = await member({ positionName: "Leader" });
    await name(leader);
    const stale = { shown: null };
    expect(await chooseChatServer(ctx, other, { ...stale, serverId })).toBe("saved");
    expect(await chooseChatServer(ctx, other, { ...stale, serverId: null, shown: 77n })).toBe(
      "outdated",
    );
    expect((await showFactionChat(ctx, other))?.server?.serverId).toBe(String(serverId));
  });

  test("offers the servers that list the faction or that the member administers, and no stranger's", async () => {
    const { factionId, leader } = await world();
    expect((await showFactionChat(ctx, leader))?.choices).toEqual([]);
    await addFactionListing(ctx, administrator, { serverId, factionId });
    expect((await showFactionChat(ctx, leader))?.choices).toEqual([
      { serverId: String(serverId), name: "The Hall" },
    ]);
  });
});

describe("the server's side", () => {
  test("is its administrators' alone, and to everybody else it looks as if it did not exist", async () => {
    const { factionId, leader } = await world();
    const listing = { serverId, factionId };
    expect(await codeOf(addFactionListing(ctx, leader, listing))).toBe("UnknownChatServer");
    expect(await codeOf(removeFactionListing(ctx, leader, listing))).toBe("UnknownChatServer");
    expect(await codeOf(showChatServer(ctx, leader, serverId))).toBe("UnknownChatServer");
    expect(
      await codeOf(
        setBankingChannel(ctx, leader, { ...listing, channelId, roleIds: [], shown: nothing }),
      ),
    ).toBe("UnknownChatServer");
    expect(await codeOf(showChatServer(ctx, administrator, 99n))).toBe("UnknownChatServer");
  });

  test("lists a faction that is known, once, and each side can take the link back", async () => {
    const { factionId, leader } = await world();
    const listing = { serverId, factionId };
    expect(
      await codeOf(addFactionListing(ctx, administrator, { ...listing, factionId: 999_999 })),
    ).toBe("UnknownElement");
    await name(leader);
    expect((await showChatServer(ctx, administrator, serverId)).waiting).toContainEqual({
      factionId,
      name: `Faction${factionId}`,
    });
    await addFactionListing(ctx, administrator, listing);
    await addFactionListing(ctx, administrator, listing);
    expect((await readChatLink(on, factionId)).state).toBe("no-channel");
    await removeFactionListing(ctx, administrator, listing);
    expect((await readChatLink(on, factionId)).state).toBe("not-listed");
    const noted = (await acts(administrator)).filter((act) => act.startsWith("faction_listing"));
    expect(noted.slice(0, 2)).toEqual(["faction_listing.removed", "faction_listing.added"]);
    await addFactionListing(ctx, administrator, listing);
    await name(leader, null);
    expect((await readChatLink(on, factionId)).state).toBe("no-server");
  });

  test("takes a channel and roles that the server has at the moment, and names the field that is wrong", async () => {
    const { factionId, leader } = await world();
    const choose = (channel: bigint | null, roleIds: bigint[], shown: BankingSettings = nothing) =>
      setBankingChannel(ctx, administrator, {
        serverId,
        factionId,
        channelId: channel,
        roleIds,
        shown,
      });
    expect(await codeOf(choose(channelId, []))).toBe("FactionNotLinked");
    await addFactionListing(ctx, administrator, { serverId, factionId });
    await name(leader);
    await expect(choose(77n, [])).rejects.toMatchObject({
      details: { errors: [{ field: "channel_id" }] },
    });
    await expect(choose(channelId, [serverId])).rejects.toMatchObject({
      details: { errors: [{ field: "role_ids" }] },
    });
    await choose(channelId, [roleId, roleId]);
    expect(await readChatLink(on, factionId)).toEqual({
      state: "ready",
      serverId,
      channelId,
      roleIds: [roleId],
    });
    expect(await choose(null, [])).toBe("outdated");
    expect((await readChatLink(on, factionId)).state).toBe("ready");
    expect(await choose(null, [], { channelId, roleIds: [roleId] })).toBe("saved");
    expect((await readChatLink(on, factionId)).state).toBe("no-channel");
    expect(await acts(administrator)).toContain("banking_channel.changed");
  });

  test("can be read while the chat does not answer, and is not changed then", async () => {
    const { factionId } = await world();
    await addFactionListing(ctx, administrator, { serverId, factionId });
    api.fail({ when: `GET /guilds/${serverId}`, status: 503, times: 3 });
    expect((await showChatServer(ctx, administrator, serverId)).live).toBeNull();
    const choice = { serverId, factionId, channelId, roleIds: [], shown: nothing };
    expect(await codeOf(setBankingChannel(ctx, administrator, choice))).toBe("ServiceUnavailable");
  });
});

describe("who administers a server", () => {
  test("is told by the chat account that was linked here, and only without one by the game's word", async () => {
    await on
      .insert(chatIdentities)
      .values({ chatId: 5n, accountId: administrator.accountId, linkedAt: ctx.now() });
    expect(await listAdministeredServers(ctx, administrator)).toEqual([]);
    const linked = await mintUser(ctx);
    await on.delete(chatIdentities);
    await on
      .insert(chatIdentities)
      .values({ chatId: ownerId, accountId: linked.accountId, linkedAt: ctx.now() });
    expect(await requireAdministeredServer(ctx, linked, serverId)).toEqual({
      serverId,
      name: "The Hall",
    });
  });
});

describe("the channel for hits and delayed crimes", () => {
  const noChoice = { channelId: null, shown: [] } as const;
  const choice = { channelId, shown: ["hits"] } as const;
  const choosing = { choice, shownBefore: noChoice };
  const linked = async () => {
    const faction = await world();
    await linkForDemo(ctx, { factionId: faction.factionId, serverId, channelId, roleIds: [] });
    return faction;
  };

  test("ends with the link, from either side and when the bot left, and a new link begins without one", async () => {
    const { leader, factionId } = await linked();
    const listing = { serverId, factionId };
    const choose = () => setEventsChannel(ctx, leader, choosing);
    const ends = [
      [
        () => removeFactionListing(ctx, administrator, listing),
        () => addFactionListing(ctx, administrator, listing),
      ],
      [
        () => chooseChatServer(ctx, leader, { serverId: null, shown: serverId }),
        () => chooseChatServer(ctx, leader, { serverId, shown: null }),
      ],
      [
        () => deleteServer(on, serverId),
        async () => {
          await refreshServer(ctx, serverId);
          await addFactionListing(ctx, administrator, listing);
        },
      ],
    ] as const;
    for (const [end, again] of ends) {
      expect(await choose()).toBe("saved");
      await end();
      expect((await showFactionChat(ctx, leader))?.shown).toEqual([]);
      await expect(choose()).rejects.toThrow();
      await again();
      expect(await showEventsChannel(ctx, leader)).toMatchObject({ channelId: null, shown: [] });
    }
    expect((await acts(leader)).filter((act) => act === "events_channel.changed")).toHaveLength(3);
  });

  test("a plain member chooses nothing, and a leader no channel of another server", async () => {
    const { leader, member } = await linked();
    const plain = await member({ positionName: "Member" });
    await expect(setEventsChannel(ctx, plain, choosing)).rejects.toThrow("Only leaders");
    expect(await showEventsChannel(ctx, plain)).toBeNull();
    const elsewhere = { ...choosing, choice: { ...choice, channelId: 77n } };
    await expect(setEventsChannel(ctx, leader, elsewhere)).rejects.toThrow("no such text channel");
  });
});
