import { eq, isNotNull } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { accounts, gameKeys } from "#db/schema/accounts";
import { players } from "#db/schema/players";
import { refreshFactionMembers } from "#server/faction/refresh-members";
import { chargeCall } from "#server/game/budget";
import { testDatabase } from "#server/testing/database";
import { enrol } from "#server/testing/enrol";
import { testContext } from "#server/testing/test-context";
import { insertKey } from "../keys/store";
import { refreshUsersJob } from "./refresh-users";

const database = await testDatabase();
const { ctx, clock, simulator } = await testContext({ database });

const run = (budget = 60, signal = new AbortController().signal) =>
  refreshUsersJob.run(ctx, { budget, signal });
const refreshedAt = async (id: number) => {
  const [row] = await database.query
    .select({ at: players.lastRefresh })
    .from(players)
    .where(eq(players.id, id));
  return row?.at;
};
const countRefreshed = () => database.query.$count(players, isNotNull(players.lastRefresh));

beforeEach(async () => {
  await database.query.delete(accounts);
  await database.query.delete(players);
  simulator.control.clearFaults();
  simulator.control.clearCache();
  clock.advance(120);
});

test("a key owner is refreshed again after an hour, not before", async () => {
  const { playerId } = await enrol(ctx, "loner");
  const enrolled = clock.now();
  clock.advance(3_600);
  expect(await run()).toEqual({ failed: 0, skipped: 0 });
  expect(await refreshedAt(playerId)).toEqual(enrolled);
  clock.advance(1);
  expect(await run()).toEqual({ refreshed: 1, failed: 0, skipped: 0 });
  expect(await refreshedAt(playerId)).toEqual(clock.now());
});

test("an owner of two keys is refreshed once, and not at all while banned", async () => {
  const { playerId, accountId } = await enrol(ctx, "loner");
  const second = {
    id: ctx.ids.uuid(),
    accountId,
    playerId,
    sealed: null,
    keyHmac: "another",
    lastFour: "0000",
  };
  const stored = {
    ...second,
    level: 3,
    type: "Limited Access",
    factionApiAccess: false,
    state: "active" as const,
  };
  await insertKey(database.query, { ...stored, createdAt: ctx.now() });
  await database.query.update(accounts).set({ bannedAt: ctx.now() });
  clock.advance(3_601);
  expect(await run()).toEqual({ failed: 0, skipped: 0 });
  await database.query.update(accounts).set({ bannedAt: null });
  expect(await run()).toEqual({ refreshed: 1, failed: 0, skipped: 0 });
});

test("an owner whose key is in use again after a rest waits an hour from the last attempt, not from the rest", async () => {
  const { playerId } = await enrol(ctx, "loner");
  await database.query.update(gameKeys).set({ state: "paused" });
  clock.advance(3_601);
  expect(await run()).toEqual({ failed: 0, skipped: 0 });
  await database.query.update(gameKeys).set({ state: "active" });
  expect(await run()).toEqual({ refreshed: 1, failed: 0, skipped: 0 });
  expect(await refreshedAt(playerId)).toEqual(clock.now());
});

test("key owners come first, then members never refreshed, within the run's budget", async () => {
  const { playerId, openKey } = await enrol(ctx, "developer");
  await refreshFactionMembers(ctx, 7001, { key: openKey, priority: "user" });
  clock.advance(3_601);
  expect(await run(5)).toMatchObject({ refreshed: 4 });
  expect(await refreshedAt(playerId)).toEqual(clock.now());
  expect(await countRefreshed()).toBe(4);
});

test("background refreshes leave the owner's budget to those who wait", async () => {
  const { playerId, openKey } = await enrol(ctx, "developer");
  await refreshFactionMembers(ctx, 7001, { key: openKey, priority: "user" });
  clock.advance(64);
  for (let call = 0; call < 25; call++) await chargeCall(ctx, playerId, "user");
  const counts = await run();
  expect(counts).toMatchObject({ refreshed: 5, failed: 0 });
  await chargeCall(ctx, playerId, "user");
});

test("players without a key of theirs or of their faction are left alone", async () => {
  await enrol(ctx, "loner");
  await database.query.insert(players).values({ id: 77, name: "Nobody", factionId: 7002 });
  clock.advance(24 * 3_600);
  await run();
  expect(await refreshedAt(77)).toBeNull();
});

test("a player that the game refuses does not hold up the others", async () => {
  const { openKey } = await enrol(ctx, "developer");
  await refreshFactionMembers(ctx, 7001, { key: openKey, priority: "user" });
  await database.query.insert(players).values({ id: 999_999, name: "Vanished", factionId: 7001 });
  clock.advance(60);
  const size = await database.query.$count(players);
  let refreshed = 0;
  let failed = 0;
  for (let minute = 0; minute < 10; minute++) {
    const counts = await run();
    refreshed += counts.refreshed ?? 0;
    failed += counts.failed ?? 0;
    clock.advance(60);
  }
  expect({ refreshed, failed }).toEqual({ refreshed: size - 2, failed: 1 });
});

test("RE-52 while the game is away a run ends at the first refusal and fails", async () => {
  const { playerId } = await enrol(ctx, "loner");
  clock.advance(7_200);
  simulator.control.addFault({ code: 17, times: 100 });
  await expect(run()).rejects.toMatchObject({ kind: "server-side" });
  expect(await refreshedAt(playerId)).not.toEqual(clock.now());
});

test("a draining process starts no further refresh", async () => {
  await enrol(ctx, "loner");
  clock.advance(7_200);
  const draining = new AbortController();
  draining.abort();
  expect(await run(60, draining.signal)).toEqual({ failed: 0, skipped: 0, left: 1, oldest: 7_200 });
});
