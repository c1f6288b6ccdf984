import { describe, expect, test } from "vitest";
import { demoBankingChannel, demoChatServer } from "#server/chat/client";
import { linkDemoChat } from "#server/demo/demo-world";
import { showEventsChannel } from "#server/faction/chat-link/link-acts";
import { readChatLink } from "#server/faction/chat-link/read-chat-link";
import { enrol } from "#server/testing/enrol";
import { formWorld } from "#server/testing/form-world";
import { at } from "#server/testing/plain-browser";
import { mintFaction } from "#server/testing/world";
import { POST as postChatServer } from "../../chat-servers/[serverId]/act/route";
import { POST as postEvents } from "./events/route";
import { POST as postFactionChat } from "./server/route";

const { ctx, simulator, withKey } = await formWorld();
const on = ctx.database.query;
const serverId = String(demoChatServer.serverId);
const channel = String(demoBankingChannel.channelId);
const [role = ""] = demoBankingChannel.roleIds.map(String);
const lanternwatch = 7001;
await enrol(ctx, "developer");
await linkDemoChat(ctx);

const as = async (gameKey: string) => {
  const visitor = await withKey(gameKey);
  const csrf = await visitor.csrf();
  return {
    faction: async (fields: Record<string, string>) => {
      const answer = await visitor.post(postFactionChat, { csrf, ...fields });
      return answer.headers.get("location") ?? answer.status;
    },
    events: async (fields: [string, string][]) => {
      const answer = await visitor.post(postEvents, [["csrf", csrf], ...fields]);
      return answer.headers.get("location") ?? answer.status;
    },
    server: async (fields: Record<string, string> | [string, string][], server = serverId) => {
      const pairs = Array.isArray(fields) ? fields : Object.entries(fields);
      const target = at(postChatServer, { serverId: server });
      const answer = await visitor.post(target, [["csrf", csrf], ...pairs]);
      return answer.headers.get("location") ?? answer.status;
    },
  };
};
const state = async () => (await readChatLink(on, lanternwatch)).state;

describe("the faction's side, without script", () => {
  test("is taken back and named again", async () => {
    const officer = await as(simulator.demoKeys.developer);
    expect(await officer.faction({ act: "clear" })).toBe("/faction/chat?error=outdated");
    expect(await officer.faction({ act: "clear", shown: serverId })).toBe(
      "/faction/chat?done=cleared",
    );
    expect(await state()).toBe("no-server");
    expect(await officer.faction({ server_id: ` ${serverId} ` })).toBe("/faction/chat?done=named");
    expect(await state()).toBe("ready");
  });

  test("says what is wrong with a number, and changes nothing", async () => {
    const officer = await as(simulator.demoKeys.developer);
    for (const number of ["", "0", "-1", "1e3", "abc", "9".repeat(19), "1".repeat(30)])
      expect(await officer.faction({ server_id: number })).toBe("/faction/chat?error=number");
    expect(await officer.faction({ server_id: "12345" })).toBe("/faction/chat?error=no-bot");
    expect(await state()).toBe("ready");
  });

  test("is not for plain members", async () => {
    expect(await (await as(simulator.demoKeys.member)).faction({ act: "clear" })).toBe(403);
    expect(await state()).toBe("ready");
  });
});

describe("the channel for hits and delayed crimes, without script", () => {
  const lobby = String(demoChatServer.channels[0].channelId);
  const chosen = async () => {
    const { channelId, shown } = (await showEventsChannel(ctx, { playerId: 1001 })) ?? {};
    return { channelId, shown };
  };
  const both: [string, string][] = [
    ["shown", "hits"],
    ["shown", "delays"],
  ];
  const before: [string, string][] = [
    ["before_channel", lobby],
    ["before_shown", "hits"],
    ["before_shown", "delays"],
  ];

  test("is chosen, changed and taken back; what somebody else saved meanwhile stays", async () => {
    const officer = await as(simulator.demoKeys.developer);
    expect(await officer.events([["channel_id", lobby], ...both])).toBe(
      "/faction/chat?done=events",
    );
    expect(await chosen()).toEqual({ channelId: lobby, shown: ["hits", "delays"] });
    expect(
      await officer.events([
        ["channel_id", channel],
        ["shown", "hits"],
      ]),
    ).toBe("/faction/chat?error=outdated");
    expect(await officer.events([["channel_id", channel], ["shown", "hits"], ...before])).toBe(
      "/faction/chat?done=events",
    );
    const now: [string, string][] = [
      ["before_channel", channel],
      ["before_shown", "hits"],
    ];
    expect(await officer.events([...both, ...now])).toBe("/faction/chat?done=events-off");
    expect(await chosen()).toEqual({ channelId: null, shown: [] });
  });

  test("says what is wrong, and changes nothing", async () => {
    const officer = await as(simulator.demoKeys.developer);
    expect(await officer.events([["channel_id", lobby]])).toBe("/faction/chat?error=shown");
    for (const number of ["77", "0", "abc", "9".repeat(19)])
      expect(await officer.events([["channel_id", number], ...both])).toBe(
        "/faction/chat?error=channel_id",
      );
    expect(
      await officer.events([
        ["channel_id", lobby],
        ["shown", "scores"],
      ]),
    ).toBe(400);
    expect(
      await (await as(simulator.demoKeys.member)).events([["channel_id", lobby], ...both]),
    ).toBe(403);
    expect(await chosen()).toEqual({ channelId: null, shown: [] });
  });
});

describe("the server's side, without script", () => {
  test("chooses a channel and roles, and turns banking off", async () => {
    const owner = await as(simulator.demoKeys.developer);
    const of = { faction_id: String(lanternwatch), act: "banking" };
    expect(await owner.server(of)).toBe(`/chat-servers/${serverId}?error=outdated`);
    expect(await state()).toBe("ready");
    const shown = demoBankingChannel.roleIds.map((roleId): [string, string] => [
      "shown_role",
      String(roleId),
    ]);
    expect(await owner.server([...Object.entries(of), ["shown_channel", channel], ...shown])).toBe(
      `/chat-servers/${serverId}?done=off`,
    );
    expect(await state()).toBe("no-channel");
    const chosen: [string, string][] = [
      ...Object.entries(of),
      ["channel_id", channel],
      ["role_id", role],
    ];
    expect(await owner.server(chosen)).toBe(`/chat-servers/${serverId}?done=banking`);
    expect(await state()).toBe("ready");
    expect(await owner.server({ ...of, channel_id: "77" })).toBe(
      `/chat-servers/${serverId}?error=channel_id`,
    );
    expect(await owner.server({ ...of, channel_id: channel, role_id: "77" })).toBe(
      `/chat-servers/${serverId}?error=role_ids`,
    );
  });

  test("lists factions and takes them off the list", async () => {
    const owner = await as(simulator.demoKeys.developer);
    const { id } = await mintFaction(ctx);
    expect(await owner.server({ act: "list", faction_id: String(id) })).toMatch(/done=listed$/);
    expect(await owner.server({ act: "unlist", faction_id: String(id) })).toMatch(/done=unlisted$/);
    expect(await owner.server({ act: "banking", faction_id: String(id) })).toMatch(/error=4021$/);
    for (const number of ["", "x", "0", "999999999", "1".repeat(12)])
      expect(await owner.server({ act: "list", faction_id: number })).toMatch(/error=faction_id$/);
  });

  test("is not there for anybody else, nor for a number that is none", async () => {
    const banker = await as(simulator.demoKeys.banker);
    expect(await banker.server({ act: "unlist", faction_id: String(lanternwatch) })).toBe(404);
    const owner = await as(simulator.demoKeys.developer);
    expect(await owner.server({ act: "list", faction_id: "7001" }, "12345")).toBe(404);
    expect(await owner.server({ act: "list", faction_id: "7001" }, "<script>")).toBe(400);
    expect(await state()).toBe("ready");
  });
});
