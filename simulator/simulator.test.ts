import { expect, test } from "vitest";
import { gameEpoch as epoch, gameOverFetch } from "#server/testing/game-over-fetch";
import { processorTime } from "#server/testing/processor-time";
import { sections } from "./answer";
import { demoPeople } from "./demo-people";
import { createSimulator } from "./simulator";

const refused = (code: number) => ({ error: { code, error: expect.any(String) } });

const status = {
  description: expect.any(String),
  state: expect.stringMatching(/^(Okay|Hospital|Jail|Traveling|Abroad|Federal|Fallen)$/),
  color: expect.stringMatching(/^(green|red|blue|gray)$/),
};
const lastAction = {
  status: expect.stringMatching(/^(Online|Idle|Offline)$/),
  timestamp: expect.any(Number),
  relative: expect.stringMatching(/^\d+ (minute|hour|day)s? ago$/),
};

test("every demo person can ask who they are, and is who the sign-in page says", async () => {
  const { client } = gameOverFetch();
  for (const person of demoPeople) {
    expect(person.key).toMatch(/^[A-Za-z0-9]{16}$/);
    expect(person.name.length).toBeLessThanOrEqual(15);
    const info = await client.keyInfo(person.key);
    expect(info).toMatchObject({ playerId: person.playerId, level: 3, type: "Limited Access" });
    expect((await client.player(person.key)).name).toBe(person.name);
  }
});

test("developer, banker and member share a faction; the outsider has another and the loner none", async () => {
  const { client, keys } = gameOverFetch();
  const faction = async (key: string) => (await client.player(key)).faction;
  expect(await faction(keys.developer)).toMatchObject({ factionId: 7001, position: "Officer" });
  expect(await faction(keys.banker)).toMatchObject({ factionId: 7001, position: "Banker" });
  expect(await faction(keys.member)).toMatchObject({ factionId: 7001, position: "Member" });
  expect(await faction(keys.outsider)).toMatchObject({ factionId: 7002 });
  expect(await faction(keys.loner)).toBeNull();
});

test("faction access of a key follows the position of its owner", async () => {
  const { client, keys } = gameOverFetch();
  const access = async (key: string) => (await client.keyInfo(key)).factionApiAccess;
  expect(
    await Promise.all([keys.developer, keys.banker, keys.member, keys.loner].map(access)),
  ).toEqual([true, true, false, false]);
});

test("key info has the shape of the game's", async () => {
  expect(await gameOverFetch().get("key/info")).toEqual({
    info: {
      selections: {
        key: ["info"],
        user: expect.arrayContaining(["profile", "discord", "faction", "personalstats"]),
        faction: expect.arrayContaining([
          "basic",
          "members",
          "positions",
          "crimes",
          "balance",
          "news",
        ]),
        torn: expect.arrayContaining(["organizedcrimes", "stocks"]),
        market: ["pointsmarket"],
      },
      user: { faction_id: 7001, company_id: null, id: 1001 },
      access: {
        level: 3,
        type: "Limited Access",
        faction: true,
        company: false,
        log: { custom_permissions: false, available: [] },
      },
    },
  });
});

test("a profile has the shape of the game's", async () => {
  const { profile } = await gameOverFetch().get("user/1002/profile");
  expect(profile).toMatchObject({
    id: 1002,
    name: "Bruno_Vault",
    level: expect.any(Number),
    age: expect.any(Number),
    signed_up: expect.any(Number),
    faction_id: 7001,
    status: { ...status, details: null },
    last_action: lastAction,
    life: { current: expect.any(Number), maximum: expect.any(Number) },
  });
});

test("a chat id is text with all its digits, empty for a player who linked none", async () => {
  const { get, client, keys } = gameOverFetch();
  const { discord } = await get("user/1001/discord");
  expect(discord).toEqual({ user_id: 1001, discord_id: expect.stringMatching(/^[0-9]{17,19}$/) });
  expect(BigInt(discord.discord_id)).not.toBe(BigInt(Number(discord.discord_id)));

  const members = await client.factionMembers(keys.developer);
  const linked = await Promise.all(
    members.map(({ playerId }) => client.player(keys.banker, playerId)),
  );
  const ids = linked.map(({ chatId }) => chatId).filter((chatId) => chatId !== null);
  expect(ids.length).toBeGreaterThan(members.length / 2);
  expect(ids.length).toBeLessThan(members.length);
  expect(new Set(ids).size).toBe(ids.length);
  for (const id of ids) expect(id).toBeGreaterThan(2n ** 53n);
});

test("a player is found by chat id too", async () => {
  const { get } = gameOverFetch();
  const { discord } = await get("user/1005/discord");
  const { profile } = await get(`user/${discord.discord_id}/profile`);
  expect(profile.id).toBe(1005);
  expect(await get(`user/${BigInt(discord.discord_id) + 2n}/profile`)).toEqual(refused(6));
});

test("a faction and its members fit together", async () => {
  const { get } = gameOverFetch();
  const { basic } = await get("faction/7001/basic");
  const { members } = await get("faction/7001/members");
  expect(basic).toMatchObject({
    id: 7001,
    name: "Lanternwatch",
    tag: "LNTN",
    members: members.length,
    capacity: 100,
    respect: expect.any(Number),
    days_old: expect.any(Number),
    best_chain: expect.any(Number),
    rank: { level: 1, name: "Bronze", division: 1, position: 1, wins: 0 },
  });
  for (const member of members)
    expect(member).toMatchObject({
      id: expect.any(Number),
      name: expect.stringMatching(/^[A-Za-z0-9_-]{1,15}$/),
      position: expect.any(String),
      level: expect.any(Number),
      days_in_faction: expect.any(Number),
      is_in_oc: expect.any(Boolean),
      is_on_wall: false,
      is_revivable: expect.any(Boolean),
      last_action: lastAction,
      status,
    });
  const holders = (position: string) =>
    members.filter((member: { position: string }) => member.position === position);
  expect(holders("Leader").map((member: { id: number }) => member.id)).toEqual([basic.leader_id]);
  expect(holders("Co-leader").map((member: { id: number }) => member.id)).toEqual([
    basic.co_leader_id,
  ]);
  expect(members.map((member: { id: number }) => member.id)).toEqual(
    expect.arrayContaining([1001, 1002, 1003]),
  );
});

test("there are 26 kinds of organized crime, each with three to six slots", async () => {
  const { organizedcrimes } = await gameOverFetch().get("torn/organizedcrimes");
  expect(new Set(organizedcrimes.map(({ name }: { name: string }) => name)).size).toBe(26);
  for (const type of organizedcrimes) {
    expect(type).toMatchObject({
      description: expect.any(String),
      spawn: { level: expect.any(Number), name: expect.any(String) },
      scope: { cost: expect.any(Number), return: expect.any(Number) },
      prerequisite: null,
    });
    expect(type.difficulty).toBeGreaterThanOrEqual(1);
    expect(type.difficulty).toBeLessThanOrEqual(10);
    expect(type.slots.length).toBeGreaterThanOrEqual(3);
    expect(type.slots.length).toBeLessThanOrEqual(6);
    expect(type.slots[1]).toEqual({
      name: expect.any(String),
      position_info: {
        id: "P2",
        label: expect.stringContaining(type.slots[1].name),
        number: expect.any(Number),
      },
      required_item: type.slots[1].required_item && {
        id: expect.any(Number),
        name: expect.any(String),
        is_used: expect.any(Boolean),
      },
    });
  }
});

test("several selections of a section come in one answer", async () => {
  const { get } = gameOverFetch();
  const answer = await get("user?selections=profile,discord,faction&id=1002");
  expect(Object.keys(answer)).toEqual(["profile", "discord", "faction"]);
  expect(answer.profile).toEqual((await get("user/1002/profile")).profile);
  expect(answer.faction).toMatchObject({ id: 7001, position: "Banker" });
  expect(Object.keys(await get("faction?selections=basic,members"))).toEqual(["basic", "members"]);
  expect(Object.keys(await get("torn?selections=stocks,organizedcrimes"))).toEqual([
    "stocks",
    "organizedcrimes",
  ]);
});

test("whatever the simulated game answers, the product's client can read", async () => {
  const { client, keys, simulator } = gameOverFetch();
  const factions = new Set<number>();
  for (const { playerId } of await client.factionMembers(keys.developer)) {
    const key = simulator.control.createKey({ playerId: 1004 }).key;
    simulator.control.advance({ seconds: 3_600 });
    const player = await client.player(key, playerId);
    expect(player.playerId).toBe(playerId);
    if (player.faction) factions.add(player.faction.factionId);
  }
  expect([...factions]).toEqual([7001]);
  expect(await client.factionBasic(keys.outsider)).toMatchObject({
    factionId: 7002,
    name: "Copper Tide",
  });
  expect(await client.organizedCrimeTypes(keys.loner)).toHaveLength(26);
});

test.each([
  ["user/77/profile", 6],
  ["faction/77/basic", 6],
  ["user/99999999999999999999/profile", 6],
  ["user/shoes", 4],
  ["user", 4],
  ["user?selections=profile,shoes", 4],
  ["user/constructor", 4],
  ["shoes/profile", 3],
  ["toString/profile", 3],
  ["faction/7001/positions", 7],
  ["torn/1/organizedcrimes", 6],
])("asking for %s is refused with code %d", async (path, code) => {
  expect(await gameOverFetch().get(path)).toEqual(refused(code));
});

test("a player without a faction has no own faction to ask for", async () => {
  const { get, keys } = gameOverFetch();
  expect(await get("faction/members", keys.loner)).toEqual(refused(6));
});

test("private faction data need a position that grants it", async () => {
  const { get, keys } = gameOverFetch();
  expect((await get("faction/positions", keys.banker)).positions).toContainEqual({
    name: "Banker",
    is_default: false,
    abilities: expect.arrayContaining(["Money Giving", "Points Giving", "Balance Adjustment"]),
  });
  expect(await get("faction/positions", keys.member)).toEqual(refused(7));
});

test("only version 2 is spoken", async () => {
  const { simulator } = gameOverFetch();
  const request = new Request(`http://game.invalid/user/1001?key=${simulator.demoKeys.member}`);
  expect(await (await simulator.fetch(request)).json()).toEqual(refused(23));
});

test("the large world opens at once, with 12,000 players who have different names", () => {
  const open = () => createSimulator({ seed: 1, epoch, world: "demo" });
  expect(processorTime(open)).toBeLessThan(1_000);
  expect(open().control.state()).toMatchObject({ players: 12_000, factions: 150 });
});

test("every selection says what it needs", () => {
  for (const section of Object.values(sections))
    for (const selection of Object.values(section.selections))
      expect(selection.level).toBeGreaterThanOrEqual(1);
});
