import { eq } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { accounts, gameKeys } from "#db/schema/accounts";
import { auditLog } from "#db/schema/operations";
import { factions, players } from "#db/schema/players";
import { statEntries, statLatest } from "#db/schema/stats";
import type { PortalUser } from "#server/actor";
import { jobs } from "#server/jobs/list";
import { testDatabase } from "#server/testing/database";
import { enrol } from "#server/testing/enrol";
import { testContext } from "#server/testing/test-context";
import { turnSwitch } from "#server/users/account-switches";
import { demoPersonOf } from "#simulator/demo-people";
import { readOwnFightsJob } from "./read-own-fights";

const database = await testDatabase();
const { ctx, clock, simulator } = await testContext({ database });
const { query } = database;
const run = () => readOwnFightsJob.run(ctx, { budget: 200, signal: new AbortController().signal });
const targets = async () =>
  (await query.select().from(statEntries)).map(({ visibleTo, playerId }) => ({
    visibleTo,
    playerId,
  }));

beforeEach(async () => {
  for (const table of [statEntries, statLatest, accounts, players, factions])
    await query.delete(table);
  simulator.control.clearFaults();
  simulator.control.clearCache();
  clock.advance(2 * 86_400);
});

async function sharer(role: "loner" | "member") {
  const person = await enrol(ctx, role);
  await share(person, true);
  return person;
}
const share = (who: PortalUser, shares: boolean) =>
  turnSwitch(ctx, who, { name: "sharesOpponentStats", on: shares });

/** A hit with a usable score: another player beaten with a fair fight within the bounds. */
function hit(attackerId: number) {
  const defenderId = demoPersonOf("banker").playerId;
  const own = { strength: 1e6, defense: 1e6, speed: 1e6, dexterity: 1e6 };
  simulator.control.setStats({ playerId: attackerId, ...own });
  simulator.control.setStats({
    playerId: defenderId,
    strength: 2e5,
    defense: 2e5,
    speed: 2e5,
    dexterity: 2e5,
  });
  simulator.control.attack({ attackerId, defenderId, result: "Hospitalized", respect: 2 });
  simulator.control.clearCache();
  clock.advance(60);
  return defenderId;
}

test("the job is in the list", () => {
  expect(jobs).toContain(readOwnFightsJob);
});

test("a player's fights tell scores only while they let them (mistake 15)", async () => {
  const person = await enrol(ctx, "loner");
  const beaten = hit(person.playerId);
  await run();
  expect(await targets()).toEqual([]);
  await share(person, true);
  await run();
  expect(await targets()).toContainEqual({ visibleTo: 0, playerId: beaten });
});

test("the switch is off at first, and each change of it is in the audit log once", async () => {
  const person = await enrol(ctx, "loner");
  const [account] = await query.select().from(accounts);
  expect(account?.sharesOpponentStats).toBe(false);
  for (const shares of [true, true, false]) await share(person, shares);
  const events = await query
    .select()
    .from(auditLog)
    .where(eq(auditLog.act, "fight_sharing.changed"));
  const own = events.filter(({ accountId }) => accountId === person.accountId);
  expect(own.map(({ details }) => details)).toEqual([
    { sharesOpponentStats: { from: false, to: true } },
    { sharesOpponentStats: { from: true, to: false } },
  ]);
});

test("fights are read once, however often the job runs", async () => {
  const { playerId } = await sharer("loner");
  hit(playerId);
  await run();
  const first = await targets();
  expect(first.length).toBeGreaterThan(0);
  clock.advance(600);
  simulator.control.clearCache();
  expect(await run()).toMatchObject({ read: 1 });
  expect(await targets()).toEqual(first);
});

test("where the faction has not chosen, or is not known yet, it alone sees them", async () => {
  const { playerId } = await sharer("member");
  hit(playerId);
  await query.delete(factions).where(eq(factions.id, 7001));
  await run();
  const told = await targets();
  expect(told.length).toBeGreaterThan(0);
  expect(told.every(({ visibleTo }) => visibleTo === 7001)).toBe(true);
});

test("the faction's sharing decides who sees them", async () => {
  const { playerId } = await sharer("member");
  const beaten = demoPersonOf("loner").playerId;
  await query.update(factions).set({ statSharing: "faction" }).where(eq(factions.id, 7001));
  simulator.control.setStats({ playerId, strength: 1e6, defense: 1e6, speed: 1e6, dexterity: 1e6 });
  simulator.control.setStats({
    playerId: beaten,
    strength: 2e5,
    defense: 2e5,
    speed: 2e5,
    dexterity: 2e5,
  });
  simulator.control.attack({
    attackerId: playerId,
    defenderId: beaten,
    result: "Hospitalized",
    respect: 2,
  });
  simulator.control.clearCache();
  clock.advance(60);
  await run();
  const told = await targets();
  expect(told).toContainEqual({ visibleTo: 7001, playerId: beaten });
  expect(told.every(({ visibleTo }) => visibleTo === 7001)).toBe(true);
});

test("where the faction keeps no scores nobody's fights are read", async () => {
  await sharer("member");
  await query.update(factions).set({ statSharing: "off" }).where(eq(factions.id, 7001));
  expect(await run()).not.toHaveProperty("read");
});

test("where a member with faction API access reads them for all, nobody's are read again", async () => {
  await sharer("member");
  await enrol(ctx, "developer");
  expect(await run()).not.toHaveProperty("read");
  await query
    .update(gameKeys)
    .set({ state: "paused" })
    .where(eq(gameKeys.playerId, demoPersonOf("developer").playerId));
  expect(await run()).toMatchObject({ read: 1 });
});

test("a weak key is not asked for fights", async () => {
  const { playerId } = await sharer("loner");
  await query.update(gameKeys).set({ level: 2 }).where(eq(gameKeys.playerId, playerId));
  expect(await run()).not.toHaveProperty("read");
});
