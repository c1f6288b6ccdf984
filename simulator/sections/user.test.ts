import { expect, test } from "vitest";
import { gameOverFetch } from "#server/testing/game-over-fetch";

const refused = (code: number) => ({ error: { code, error: expect.any(String) } });
const stat = { value: expect.any(Number), modifier: 0, modifiers: [] };

test("battle stats have the game's shape and are what the oracle says", async () => {
  const { get, control, client, keys } = gameOverFetch();
  const { battlestats } = await get("user/battlestats");
  expect(battlestats).toEqual({
    strength: stat,
    defense: stat,
    speed: stat,
    dexterity: stat,
    total: expect.any(Number),
  });
  const { score, money, points, ...stats } = control.oracle({ playerId: 1001 });
  expect((await client.ownPlayer(keys.developer)).battleStats).toEqual(stats);
  expect(score).toBeCloseTo(Object.values(stats).reduce((sum, value) => sum + Math.sqrt(value), 0));
  expect([typeof money, typeof points]).toEqual(["number", "number"]);
});

test("battle stats want a limited key and are nobody else's business", async () => {
  const { get, control } = gameOverFetch();
  const { key } = control.createKey({ playerId: 1001, level: 2 });
  expect(await get("user/battlestats", key)).toEqual(refused(16));
  expect(await get("user/1002/battlestats")).toEqual(refused(7));
});

test("stats that are set are seen by their owner", async () => {
  const { control, client, keys } = gameOverFetch();
  const stats = { strength: 4_000_000, defense: 1_000_000, speed: 250_000, dexterity: 90_000 };
  control.setStats({ playerId: 1003, ...stats });
  expect((await client.ownPlayer(keys.member)).battleStats).toEqual(stats);
  control.advance({ seconds: 3 * 86_400 });
  expect((await client.ownPlayer(keys.member)).battleStats).toEqual(stats);
  expect(() => control.setStats({ playerId: 77, ...stats })).toThrow("player does not exist");
  expect(() => control.setStats({ playerId: 1003, ...stats, speed: -1 })).toThrow();
});

test("the product's client finds every counter that it looks for", async () => {
  const { client, keys } = gameOverFetch();
  const { personalStats } = await client.player(keys.member, 1001, { stats: true });
  expect(
    Object.entries(personalStats?.counters ?? { none: null }).filter(([, value]) => value === null),
  ).toEqual([]);
  const own = await client.ownPlayer(keys.member);
  expect(Object.values(own.personalStats ?? {}).every((value) => value !== null)).toBe(true);
});

test("other players' counters are as of the end of yesterday, one's own are today's", async () => {
  const { simulator, client, keys } = gameOverFetch();
  const byOthers = async () =>
    (await client.player(keys.outsider, 1003, { stats: true })).personalStats;
  const seenToday = (await client.ownPlayer(keys.member)).personalStats;
  expect(await byOthers()).not.toEqual(seenToday);
  simulator.control.advance({ seconds: 86_400 });
  expect(await byOthers()).toEqual(seenToday);
});

test("a public key reads its owner's counters as everybody else does", async () => {
  const { get, control } = gameOverFetch();
  const { key } = control.createKey({ playerId: 1003, level: 1 });
  const own = await get("user/personalstats?cat=popular", key);
  expect(own).toEqual(await get("user/1003/personalstats?cat=popular"));
});

test.each([
  ["user/personalstats", 21],
  ["user/personalstats?cat=shoes", 21],
  ["user/77/personalstats?cat=popular", 6],
])("%s is refused with code %d", async (path, code) => {
  expect(await gameOverFetch().get(path)).toEqual(refused(code));
});
