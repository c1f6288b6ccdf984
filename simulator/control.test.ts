import { expect, test } from "vitest";
import { gameEpoch as epoch, gameOverFetch } from "#server/testing/game-over-fetch";

test("a player who changes faction leaves the old list and starts as a recruit in the new one", async () => {
  const { client, control, keys } = gameOverFetch();
  control.setPlayer({ playerId: 1002, factionId: 7002 });
  const ids = async (factionId: number) =>
    (await client.factionMembers(keys.developer, factionId)).map(({ playerId }) => playerId);
  expect(await ids(7001)).not.toContain(1002);
  expect(await ids(7002)).toContain(1002);
  expect((await client.player(keys.banker)).faction).toMatchObject({
    factionId: 7002,
    position: "Recruit",
  });
  expect(await client.keyInfo(keys.banker)).toMatchObject({
    factionId: 7002,
    factionApiAccess: false,
  });
});

test("a player can leave every faction", async () => {
  const { client, control, keys } = gameOverFetch();
  control.setPlayer({ playerId: 1003, factionId: null });
  expect(await client.player(keys.member)).toMatchObject({ factionId: null, faction: null });
});

test("name, level, chat id and status can be set", async () => {
  const { client, control, keys } = gameOverFetch();
  const chatId = 9_007_199_254_740_993n;
  const until = new Date(epoch.getTime() + 90_000);
  control.setPlayer({
    playerId: 1003,
    name: "Renamed",
    level: 7,
    chatId,
    status: { state: "Hospital", until },
  });
  expect(await client.player(keys.member)).toMatchObject({
    name: "Renamed",
    level: 7,
    chatId,
    status: { state: "Hospital", description: "In hospital for 2 mins", until },
  });
  control.setPlayer({ playerId: 1003, chatId: null });
  control.advance({ seconds: 120 });
  const later = await client.player(keys.member);
  expect(later.chatId).toBeNull();
  expect(later.status.until?.getTime()).not.toBe(until.getTime());
});

test("a position can lose an ability", async () => {
  const { client, control, keys } = gameOverFetch();
  control.setPositions({
    factionId: 7001,
    positions: [{ name: "Banker", isDefault: true, abilities: ["Item Giving"] }],
  });
  expect((await client.keyInfo(keys.banker)).factionApiAccess).toBe(false);
});

test("positions have names of their own, may hold abilities that are new, and leave out who is always there", async () => {
  const { control } = gameOverFetch();
  const give = (...names: string[]) =>
    control.setPositions({
      factionId: 7001,
      positions: names.map((name) => ({ name, isDefault: false, abilities: ["Utility Loaning"] })),
    });
  expect(() => give("Officer", "Scout")).not.toThrow();
  expect(() => give("Scout", "Scout")).toThrow("unique");
  expect(() => give("Leader")).toThrow("not listed");
});

test("a key can be made with a text of one's choice", async () => {
  const { client, control } = gameOverFetch();
  const { key } = control.createKey({ playerId: 1005, level: 4, key: "ChosenChosen0001" });
  expect(key).toBe("ChosenChosen0001");
  expect(await client.keyInfo(key)).toMatchObject({
    playerId: 1005,
    level: 4,
    type: "Full Access",
  });
});

test("a verb says so when it is given something that does not exist or makes no sense", () => {
  const { control } = gameOverFetch();
  expect(() => control.createKey({ playerId: 77 })).toThrow("player does not exist");
  expect(() => control.pauseKey({ key: "WrongKeyWrongKey" })).toThrow("key does not exist");
  expect(() => control.setPlayer({ playerId: 1001, factionId: 77 })).toThrow("does not exist");
  expect(() => control.setPlayer({ playerId: 1001, level: 101 })).toThrow();
  expect(() => control.advance({ seconds: -1 })).toThrow();
});
