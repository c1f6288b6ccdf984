import { expect, test } from "vitest";
import { gameEpoch as epoch, gameOverFetch } from "#server/testing/game-over-fetch";

/** The developer may read the attacks of 7001, and the outsider those of 7002. */
function open() {
  const game = gameOverFetch();
  game.control.setPlayer({ playerId: 1004, position: "Officer" });
  return game;
}

test("an attack by the verb ends now and is seen at once by both sides, with one code", async () => {
  const { get, control, keys } = open();
  await get("faction/attacks");
  const { code } = control.attack({ attackerId: 1004, defenderId: 1003, result: "Mugged" });
  const now = epoch.getTime() / 1000;
  const rows = await Promise.all(
    [
      ["faction/attacks", keys.developer],
      ["faction/attacks", keys.outsider],
      ["user/attacks", keys.outsider],
      ["user/attacks", keys.member],
    ].map(async ([path = "", key]) => (await get(path, key)).attacks[0]),
  );
  expect(rows[0]).toMatchObject({
    code,
    ended: now,
    attacker: { id: 1004, faction: { id: 7002, name: "Copper Tide" } },
    defender: { id: 1003, faction: { id: 7001, name: "Lanternwatch" } },
    result: "Mugged",
    modifiers: { war: 1, retaliation: 1, group: 1, overseas: 1, warlord: 1 },
  });
  for (const row of rows) expect(row).toEqual(rows[0]);
});

test("the printed fair fight of an attack follows from the oracle's scores, and wins from them too", async () => {
  const { get, control } = open();
  const weak = { strength: 40_000, defense: 40_000, speed: 40_000, dexterity: 40_000 };
  control.setStats({
    playerId: 1003,
    strength: 1_000_000,
    defense: 1_000_000,
    speed: 1_000_000,
    dexterity: 1_000_000,
  });
  control.setStats({ playerId: 1004, ...weak });
  control.attack({ attackerId: 1003, defenderId: 1004 });
  const [row] = (await get("faction/attacks")).attacks;
  const [attacker, defender] = [
    control.oracle({ playerId: 1003 }).score,
    control.oracle({ playerId: 1004 }).score,
  ];
  expect([attacker, defender]).toEqual([4_000, 800]);
  expect(row?.modifiers.fair_fight).toBe(1.53);
  expect(row?.respect_gain).toBeGreaterThan(1);
  control.attack({ attackerId: 1004, defenderId: 1003 });
  const [back] = (await get("faction/attacks")).attacks;
  expect([back?.modifiers.fair_fight, back?.respect_gain]).toEqual([3, 0]);
});

test("a stealthed attacker is unknown to those who were hit, and known to their own side", async () => {
  const { get, control, keys } = open();
  control.attack({ attackerId: 1004, defenderId: 1003, result: "Attacked", stealth: true });
  const [hit] = (await get("faction/attacks")).attacks;
  expect([hit?.attacker, hit?.is_stealthed]).toEqual([null, true]);
  expect((await get("user/attacks", keys.member)).attacks[0]?.attacker).toBeNull();
  const [own] = (await get("faction/attacks", keys.outsider)).attacks;
  expect([own?.attacker?.id, own?.code]).toEqual([1004, hit?.code]);
});

test("a hospitalized player lies in hospital, and hitting back within five minutes is a retaliation by itself", async () => {
  const { get, client, control, keys } = open();
  control.attack({ attackerId: 1004, defenderId: 1003, result: "Hospitalized" });
  expect((await client.player(keys.member)).status.state).toBe("Hospital");
  const first = async () => (await get("faction/attacks")).attacks[0]?.modifiers.retaliation;
  control.attack({ attackerId: 1001, defenderId: 1004, result: "Hospitalized" });
  expect(await first()).toBe(1.5);
  control.advance({ seconds: 299 });
  control.attack({ attackerId: 1002, defenderId: 1004, result: "Attacked" });
  expect(await first()).toBe(1.5);
  control.advance({ seconds: 1 });
  control.attack({ attackerId: 1002, defenderId: 1004, result: "Attacked" });
  expect(await first()).toBe(1);
});

test("what follows from a hit can be set, for tests that want just that", async () => {
  const { get, control } = open();
  control.attack({
    attackerId: 1004,
    defenderId: 1003,
    result: "Attacked",
    overseas: true,
    respect: 4,
    war: true,
    retaliation: true,
  });
  expect((await get("faction/attacks")).attacks[0]).toMatchObject({
    respect_gain: 4,
    respect_loss: 1,
    is_ranked_war: true,
    modifiers: { overseas: 1.25, war: 2, retaliation: 1.5 },
  });
  expect(() => control.attack({ attackerId: 1004, defenderId: 77 })).toThrow(
    "defender does not exist",
  );
});

test("no respect is earned within a faction or from a recruit", async () => {
  const { get, control } = open();
  control.attack({ attackerId: 1001, defenderId: 1003, result: "Attacked" });
  expect((await get("faction/attacks")).attacks[0]?.respect_gain).toBe(0);
  control.setPlayer({ playerId: 1003, position: "Recruit" });
  control.attack({ attackerId: 1004, defenderId: 1003, result: "Attacked" });
  expect((await get("faction/attacks")).attacks[0]?.respect_gain).toBe(0);
});

test("an attack stays with the faction that the player was in at the time", async () => {
  const { get, control, keys } = open();
  const { code } = control.attack({ attackerId: 1005, defenderId: 1003, result: "Attacked" });
  const before = (await get("faction/attacks")).attacks;
  control.advance({ seconds: 60 });
  control.setPlayer({ playerId: 1003, factionId: 7002 });
  control.advance({ seconds: 60 });
  const after = (await get(`faction/attacks?to=${epoch.getTime() / 1000}`)).attacks;
  expect(after).toEqual(before);
  expect(after[0]?.code).toBe(code);
  control.attack({ attackerId: 1005, defenderId: 1003, result: "Attacked" });
  expect((await get("faction/attacks", keys.outsider)).attacks[0]?.defender.faction?.id).toBe(7002);
  expect((await get("faction/attacks")).attacks[0]?.defender.faction?.id).toBe(7001);
});
