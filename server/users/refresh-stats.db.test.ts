import { asc, eq } from "drizzle-orm";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { accounts } from "#db/schema/accounts";
import { players } from "#db/schema/players";
import { battleStats, personalStats } from "#db/schema/stats";
import { testDatabase } from "#server/testing/database";
import { enrol } from "#server/testing/enrol";
import { testContext } from "#server/testing/test-context";
import { demoPersonOf } from "#simulator/demo-people";
import { gameKeyOfText } from "./keys/pick-key";
import { refreshPlayer } from "./refresh-player";

const database = await testDatabase();
const { ctx, clock, simulator } = await testContext({ database });
const { query } = database;
const day = 86_400;

const own = async (playerId: number) =>
  (await query.select().from(battleStats).where(eq(battleStats.playerId, playerId)))[0];
const days = async (playerId: number) => {
  const rows = query.select().from(personalStats).where(eq(personalStats.playerId, playerId));
  return (await rows.orderBy(asc(personalStats.day))).map((row) => row.day);
};
const keyOf = (playerId: number, level: 0 | 1 | 2 | 3 | 4, selections = {}) =>
  gameKeyOfText(simulator.control.createKey({ playerId, level, selections }).key, playerId);

beforeEach(async () => {
  for (const table of [battleStats, personalStats, accounts, players]) await query.delete(table);
  simulator.control.clearFaults();
  simulator.control.clearCache();
  clock.advance(day);
});

test("an own key tells battle stats and their score, in one call with the rest", async () => {
  const { playerId, openKey } = await enrol(ctx, "member");
  const stats = { strength: 400, defense: 900, speed: 1_600, dexterity: 2_500 };
  simulator.control.setStats({ playerId, ...stats });
  clock.advance(60);
  const asked = vi.spyOn(ctx.game, "ownPlayer");
  await refreshPlayer(ctx, { playerId, key: openKey, priority: "user" });
  expect(asked).toHaveBeenCalledTimes(1);
  expect(await own(playerId)).toEqual({ playerId, ...stats, score: 140, at: clock.now() });
  asked.mockRestore();
});

describe("public counters", () => {
  test("of oneself are of today, of others of yesterday (mistake 64)", async () => {
    const { playerId, openKey } = await enrol(ctx, "member");
    const another = demoPersonOf("banker").playerId;
    await refreshPlayer(ctx, { playerId: another, key: openKey, priority: "user" });
    const today = clock.now().toISOString().slice(0, 10);
    const yesterday = new Date(clock.now().getTime() - day * 1_000).toISOString().slice(0, 10);
    expect(await days(playerId)).toEqual([today]);
    expect(await days(another)).toEqual([yesterday]);
    const [row] = await query
      .select()
      .from(personalStats)
      .where(eq(personalStats.playerId, another));
    expect(Object.keys(row?.counters ?? {})).toContain("xanax");
  });

  test("are stored of a player who is seen for the first time (mistake 17)", async () => {
    const { openKey } = await enrol(ctx, "loner");
    const stranger = demoPersonOf("outsider").playerId;
    await refreshPlayer(ctx, { playerId: stranger, key: openKey, priority: "user" });
    expect(await days(stranger)).toHaveLength(1);
    expect(await own(stranger)).toBeUndefined();
  });

  test("of the newest two days stay", async () => {
    const { playerId, openKey } = await enrol(ctx, "member");
    for (let round = 0; round < 3; round++) {
      clock.advance(day);
      simulator.control.clearCache();
      await refreshPlayer(ctx, { playerId, key: openKey, priority: "user" });
    }
    const kept = [1, 0].map((back) =>
      new Date(clock.now().getTime() - back * day * 1_000).toISOString().slice(0, 10),
    );
    expect(await days(playerId)).toEqual(kept);
  });

  test("that the game has told enough of today do not stop a refresh", async () => {
    const { openKey } = await enrol(ctx, "loner");
    const stranger = demoPersonOf("outsider").playerId;
    simulator.control.addFault({ code: 14, times: 1 });
    await refreshPlayer(ctx, { playerId: stranger, key: openKey, priority: "user" });
    expect(await days(stranger)).toEqual([]);
    expect(await query.$count(players, eq(players.id, stranger))).toBe(1);
  });
});

test.each([1, 2] as const)("a key of level %d is not asked for battle stats", async (level) => {
  const { playerId } = demoPersonOf("member");
  await refreshPlayer(ctx, { playerId, key: keyOf(playerId, level), priority: "user" });
  expect(await own(playerId)).toBeUndefined();
  const yesterday = new Date(clock.now().getTime() - day * 1_000).toISOString().slice(0, 10);
  expect(await days(playerId)).toEqual([yesterday]);
});

test("a custom key is asked for what it lists alone", async () => {
  const { playerId } = demoPersonOf("member");
  const key = keyOf(playerId, 0, { user: ["profile", "discord", "faction"], key: ["info"] });
  await refreshPlayer(ctx, { playerId, key, priority: "user" });
  expect(await own(playerId)).toBeUndefined();
  expect(await days(playerId)).toEqual([]);
});

test.each([
  { state: "Federal", until: null, federal: new Date("9999-12-31T00:00:00Z") },
  {
    state: "Federal",
    until: new Date("2026-09-01T00:00:00Z"),
    federal: new Date("2026-09-01T00:00:00Z"),
  },
  { state: "Fallen", until: null, federal: new Date("9999-12-31T00:00:00Z") },
  { state: "Okay", until: null, federal: null },
] as const)(
  "the state $state until $until is kept as federal until $federal",
  async ({ state, until, federal }) => {
    const { openKey } = await enrol(ctx, "loner");
    const { playerId } = demoPersonOf("outsider");
    simulator.control.setPlayer({ playerId, status: { state, until } });
    clock.advance(1);
    simulator.control.clearCache();
    await refreshPlayer(ctx, { playerId, key: openKey, priority: "user" });
    const [row] = await query.select().from(players).where(eq(players.id, playerId));
    expect(row?.federalUntil).toEqual(federal);
  },
);
