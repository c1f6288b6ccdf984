import { expect, test } from "vitest";
import { gameEpoch, gameOverFetch } from "#server/testing/game-over-fetch";

const asked = [
  "faction?selections=members,crimes,balance,positions",
  "faction/news?cat=giveFunds",
  "user?selections=profile,discord,faction&id=1003",
  "key/info",
  "torn/timestamp",
];

/** A day with every kind of event. */
function play({ control }: ReturnType<typeof gameOverFetch>): void {
  control.setPlayer({
    playerId: 1003,
    name: "Renamed",
    chatId: 9_007_199_254_740_993n,
    lastAction: gameEpoch,
  });
  control.advance({ seconds: 3_600 });
  control.addCrime({ factionId: 7001, memberIds: [1001, 1002], readyIn: 600 });
  control.giveFunds({ factionId: 7001, by: 1002, to: 1003, money: 5_000 });
  control.createKey({ playerId: 1005, level: 2 });
  control.setPositions({
    factionId: 7001,
    positions: [{ name: "Officer", isDefault: true, abilities: ["Faction API Access"] }],
  });
  control.advance({ seconds: 86_400 });
  control.setPlayer({
    playerId: 1003,
    factionId: 7002,
    status: { state: "Hospital", until: new Date(gameEpoch.getTime() + 1e9) },
  });
  control.addFault({ path: "torn", code: 17, times: 3 });
}

test("a dump that is loaded elsewhere gives the same game, byte for byte, now and later", async () => {
  const first = gameOverFetch();
  play(first);
  await first.get("torn/timestamp");
  const dump = JSON.parse(JSON.stringify(first.control.dump()));
  const second = gameOverFetch();
  second.control.load(dump);
  expect(second.control.state()).toEqual(first.control.state());
  for (let hour = 0; hour < 3; hour++) {
    for (const path of asked) expect(await second.text(path)).toBe(await first.text(path));
    for (const game of [first, second]) game.control.advance({ seconds: 3_600 });
  }
  expect(second.control.dump().journal).toEqual(dump.journal);
});

test("loading goes back to what was, whatever has been done since", async () => {
  const game = gameOverFetch();
  const before = await game.text("faction/balance");
  const dump = game.control.dump();
  play(game);
  game.control.load(dump);
  expect(await game.text("faction/balance")).toBe(before);
  expect(game.now()).toEqual(gameEpoch);
  expect(game.control.state().faults).toBe(0);
});

test("a dump of another world, or one that cannot be played, changes nothing", async () => {
  const game = gameOverFetch();
  const other = gameOverFetch({ seed: 2 });
  play(game);
  const before = game.control.state();
  expect(() => game.control.load(other.control.dump())).toThrow("another world");
  const broken = {
    ...game.control.dump(),
    journal: [{ at: gameEpoch.toISOString(), verb: "explode", given: {} }],
  };
  expect(() => game.control.load(broken)).toThrow("no verb explode");
  expect(() => game.control.load({ version: 9 })).toThrow();
  expect(game.control.state()).toEqual(before);
  expect(game.control.state()).toMatchObject({ seed: 1, epoch: gameEpoch.toISOString() });
});

test("a verb that fails is not remembered, nor is one that only asks", () => {
  const { control } = gameOverFetch();
  expect(() => control.createKey({ playerId: 77 })).toThrow();
  control.oracle({ playerId: 1003 });
  control.state();
  expect(control.dump().journal).toEqual([]);
});
