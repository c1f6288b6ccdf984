import { eq } from "drizzle-orm";
import { beforeEach, expect, test, vi } from "vitest";
import { accounts } from "#db/schema/accounts";
import { players } from "#db/schema/players";
import { personalStats, statEntries } from "#db/schema/stats";
import { testDatabase } from "#server/testing/database";
import { enrol } from "#server/testing/enrol";
import { mintEntry } from "#server/testing/stat-facts";
import { testContext } from "#server/testing/test-context";
import { mintPlayer } from "#server/testing/world";
import { demoPersonOf } from "#simulator/demo-people";
import { readOpponentsJob } from "./read-opponents";

const database = await testDatabase();
const { ctx, clock, simulator } = await testContext({ database });
const on = database.query;
const day = 86_400;

const run = (budget = 20) =>
  readOpponentsJob.run(ctx, { budget, signal: new AbortController().signal });
const opponent = demoPersonOf("outsider").playerId;
const ago = (seconds: number) => new Date(clock.now().getTime() - seconds * 1_000);
const isCounted = async (playerId: number) =>
  (await on.$count(personalStats, eq(personalStats.playerId, playerId))) > 0;
const lend = (playerId: number, lendsKey = true) =>
  on.update(accounts).set({ lendsKey }).where(eq(accounts.playerId, playerId));

/** A player of the simulated game known from a fight alone. */
async function fought(
  playerId: number,
  fields: Partial<typeof statEntries.$inferInsert> = {},
): Promise<void> {
  await mintPlayer(ctx, { id: playerId, lastRefresh: null });
  await mintEntry(ctx, { playerId, score: 1_000, attackCode: `code-${playerId}`, ...fields });
}

beforeEach(async () => {
  for (const table of [accounts, statEntries, personalStats, players]) await on.delete(table);
  simulator.control.clearFaults();
  simulator.control.clearCache();
  clock.advance(day);
});

test("a player of a public fight is read with a lent key", async () => {
  const { playerId } = await enrol(ctx, "loner");
  await lend(playerId);
  await fought(opponent);
  const asked = vi.spyOn(ctx.game, "player");
  expect(await run()).toMatchObject({ read: 1, failed: 0 });
  expect(asked.mock.calls.map(([key]) => key)).toEqual([demoPersonOf("loner").key]);
  asked.mockRestore();
  expect(await isCounted(opponent)).toBe(true);
});

test("nobody's key is used who does not lend it, the fighter's own least of all", async () => {
  await enrol(ctx, "loner");
  await fought(opponent);
  const asked = vi.spyOn(ctx.game, "player");
  expect(await run()).toMatchObject({ skipped: 1 });
  expect(asked).not.toHaveBeenCalled();
  asked.mockRestore();
  expect(await isCounted(opponent)).toBe(false);
});

test("who stops lending is asked no more", async () => {
  const { playerId } = await enrol(ctx, "loner");
  await lend(playerId);
  await lend(playerId, false);
  await fought(opponent);
  expect(await run()).toMatchObject({ skipped: 1 });
});

test("the longest untried come first, those never tried before all", async () => {
  const { playerId } = await enrol(ctx, "loner");
  await lend(playerId);
  const [early, late, never] = [
    demoPersonOf("banker"),
    demoPersonOf("member"),
    demoPersonOf("outsider"),
  ];
  for (const person of [early, late, never]) await fought(person.playerId);
  await on
    .update(players)
    .set({ lastAttempt: ago(20 * day) })
    .where(eq(players.id, early.playerId));
  await on
    .update(players)
    .set({ lastAttempt: ago(10 * day) })
    .where(eq(players.id, late.playerId));
  const order = [never, early, late].map((person) => person.playerId);
  for (const next of order) {
    expect(await isCounted(next)).toBe(false);
    expect(await run(1)).toMatchObject({ read: 1 });
    expect(await isCounted(next)).toBe(true);
    clock.advance(60);
  }
  expect(await run()).toEqual({ failed: 0, skipped: 0 });
});

test("counters of less than a week are not read again, older ones are", async () => {
  const { playerId } = await enrol(ctx, "loner");
  await lend(playerId);
  await fought(opponent);
  expect(await run()).toMatchObject({ read: 1 });
  clock.advance(6 * day);
  expect(await run()).not.toHaveProperty("read");
  clock.advance(2 * day);
  simulator.control.clearCache();
  expect(await run()).toMatchObject({ read: 1 });
});

test.each([
  ["a fight that one faction keeps for itself", { visibleTo: 7001 }],
  ["an import", { source: "import" as const, attackCode: null }],
  ["a fight of more than 90 days ago", { timeAdded: new Date("2025-01-01T00:00:00Z") }],
])("%s causes no read", async (_what, fields) => {
  const { playerId } = await enrol(ctx, "loner");
  await lend(playerId);
  await fought(opponent, fields);
  expect(await run()).toEqual({ failed: 0, skipped: 0 });
  expect(await isCounted(opponent)).toBe(false);
});

test("a player that the game refuses does not hold up the others", async () => {
  const { playerId } = await enrol(ctx, "loner");
  await lend(playerId);
  await fought(999_999);
  await fought(opponent);
  expect(await run()).toMatchObject({ read: 1, failed: 1 });
  expect(await isCounted(opponent)).toBe(true);
});

test("a player that the game refused is asked for again on the next day, and not before", async () => {
  const { playerId } = await enrol(ctx, "loner");
  await lend(playerId);
  await fought(999_999);
  expect(await run()).toMatchObject({ failed: 1 });
  clock.advance(day);
  expect(await run()).toEqual({ failed: 0, skipped: 0 });
  clock.advance(1);
  expect(await run()).toMatchObject({ failed: 1 });
});

test("while the game is away a run ends at the first refusal and fails", async () => {
  const { playerId } = await enrol(ctx, "loner");
  await lend(playerId);
  await fought(opponent);
  simulator.control.addFault({ code: 17, times: 100 });
  await expect(run()).rejects.toMatchObject({ kind: "server-side" });
  expect(await isCounted(opponent)).toBe(false);
});

test("a lender's budget is left to those who wait", async () => {
  const { playerId } = await enrol(ctx, "loner");
  await lend(playerId);
  for (let id = 1; id <= 60; id++) await fought(2_000_000 + id);
  const counts = await run(60);
  const calls = (counts.failed ?? 0) + (counts.read ?? 0);
  expect(calls).toBeGreaterThan(0);
  expect(calls).toBeLessThan(60);
});
