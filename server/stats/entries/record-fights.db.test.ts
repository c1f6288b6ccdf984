import { asc, eq } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { factions, players } from "#db/schema/players";
import { battleStats, statEntries, statLatest } from "#db/schema/stats";
import type { Attack } from "#server/game/contract/attack";
import { testDatabase } from "#server/testing/database";
import { fight, fighter } from "#server/testing/fights";
import { testContext } from "#server/testing/test-context";
import { mintPlayer } from "#server/testing/world";
import { type FightsToRecord, recordFights } from "./record-fights";
import { findNewestVisible } from "./store";

const database = await testDatabase();
const { ctx, clock } = await testContext({ database });
const { query } = database;

const member = fighter(1, 7001);
const target = fighter(2, 7002, 33);
const day = 86_400_000;
const before = (ms: number) => new Date(clock.now().getTime() - ms);

const record = (attacks: readonly Attack[], how: Partial<FightsToRecord> = {}) =>
  database.transaction((tx) =>
    recordFights(tx, { attacks, factionId: 7001, sharing: "everybody", now: clock.now(), ...how }),
  );
const hit = (fields: Partial<Parameters<typeof fight>[0]> = {}) =>
  fight({ attacker: member, defender: target, ended: clock.now(), ...fields });
const scored = (score: number, at = clock.now()) =>
  query
    .insert(battleStats)
    .values({ playerId: 1, strength: 1, defense: 1, speed: 1, dexterity: 1, score, at });
const entries = () => query.select().from(statEntries).orderBy(asc(statEntries.id));
const latest = () =>
  query.select().from(statLatest).orderBy(asc(statLatest.playerId), asc(statLatest.visibleTo));

beforeEach(async () => {
  for (const table of [statEntries, statLatest, battleStats, players, factions])
    await query.delete(table);
  clock.advance(day);
});

test("a won fight tells the opponent's score, its error and whose score it came from", async () => {
  await scored(1_000);
  const attack = hit({ ended: before(0), fairFight: 2.5 });
  expect(await record([attack])).toBe(1);
  expect(await entries()).toMatchObject([
    {
      visibleTo: 0,
      playerId: 2,
      source: "fight",
      attackCode: attack.code,
      contributorId: 1,
      fairFight: 2.5,
    },
  ]);
  const [row] = await latest();
  expect(row).toMatchObject({ visibleTo: 0, playerId: 2, timeAdded: attack.ended, level: 33 });
  expect(row?.score).toBeCloseTo(562.5, 6);
});

test("the opponent becomes known with name, level and faction", async () => {
  await scored(1_000);
  await record([hit({ ended: before(0) })]);
  const [known] = await query.select().from(players).where(eq(players.id, 2));
  expect(known).toMatchObject({ name: "Fighter2", level: 33, factionId: 7002, lastRefresh: null });
  const [faction] = await query.select().from(factions);
  expect(faction).toMatchObject({ id: 7002, name: "Faction7002" });
});

test("what a profile told of a player is not overwritten by a fight", async () => {
  await scored(1_000);
  await mintPlayer(ctx, { id: 2, name: "Known", level: 40, factionId: 7009 });
  await record([hit({ ended: before(0) })]);
  const [known] = await query.select().from(players).where(eq(players.id, 2));
  expect(known).toMatchObject({ name: "Known", level: 40, factionId: 7009 });
  expect((await latest())[0]?.level).toBe(40);
});

test("fights read twice, and by two readers, are kept once (mistake 15)", async () => {
  await scored(1_000);
  const attack = hit({ ended: before(0) });
  expect(await record([attack, attack])).toBe(1);
  expect(await record([attack])).toBe(0);
  expect(await record([attack], { playerId: 1 })).toBe(0);
  expect(await entries()).toHaveLength(1);
});

test.each([
  { age: 3 * day, kept: 1 },
  { age: 3 * day + 1_000, kept: 0 },
  { age: -3 * day - 1_000, kept: 0 },
])(
  "an own score $age ms older than the fight makes $kept entries (mistake 14)",
  async ({ age, kept }) => {
    const ended = before(4 * day);
    await scored(1_000, new Date(ended.getTime() - age));
    expect(await record([hit({ ended })])).toBe(kept);
  },
);

test("a fight a moment ahead of our clock counts, one in the far future does not", async () => {
  await scored(1_000);
  expect(await record([hit({ ended: before(-5_000) }), hit({ ended: before(-3_600_000) })])).toBe(
    1,
  );
});

test("a member without a score of their own tells nothing", async () => {
  expect(await record([hit()])).toBe(0);
});

test("a capped fight is kept as a bound and never shown as a score", async () => {
  await scored(1_000);
  expect(await record([hit({ fairFight: 3 })])).toBe(1);
  expect(await entries()).toMatchObject([{ lowerBound: true, score: 750 }]);
  expect(await latest()).toEqual([]);
});

test.each([
  { sharing: "everybody", factionId: 7001, groups: [0] },
  { sharing: "faction", factionId: 7001, groups: [7001] },
  { sharing: "off", factionId: 7001, groups: [] },
] as const)(
  "sharing $sharing makes entries for the groups $groups",
  async ({ sharing, factionId, groups }) => {
    await scored(1_000);
    await record([hit()], { sharing, factionId });
    expect((await entries()).map(({ visibleTo }) => visibleTo)).toEqual(groups);
  },
);

test("a player's own fights follow the sharing of their faction (mistake 15)", async () => {
  await scored(1_000);
  await record([hit()], { playerId: 1, sharing: "faction" });
  expect(await entries()).toMatchObject([{ visibleTo: 7001 }]);
  await record([hit({ attacker: fighter(1) })], {
    playerId: 1,
    factionId: null,
    sharing: "everybody",
  });
  expect((await entries())[1]).toMatchObject({ visibleTo: 0 });
});

test("the newest score of each group stays, in whatever order fights arrive", async () => {
  await scored(1_000);
  await record([
    hit({ ended: before(1_000), fairFight: 2 }),
    hit({ ended: before(5_000), fairFight: 1.5 }),
  ]);
  await record([hit({ ended: before(9_000), fairFight: 2.9 })]);
  await record([hit({ ended: before(3_000), fairFight: 2.2 })], { sharing: "faction" });
  const rows = await latest();
  expect(rows.map(({ visibleTo, score }) => [visibleTo, Math.round(score)])).toEqual([
    [0, 375],
    [7001, 450],
  ]);
  expect(await findNewestVisible(query, { playerId: 2, factionId: null })).toMatchObject({
    score: 375,
  });
  expect(await findNewestVisible(query, { playerId: 2, factionId: 7001 })).toMatchObject({
    score: 375,
  });
});

test("a change of level reaches the latest scores of every group", async () => {
  await scored(1_000);
  await record([hit()]);
  await record([hit()], { sharing: "faction" });
  await query.update(players).set({ level: 34 }).where(eq(players.id, 2));
  expect((await latest()).map(({ level }) => level)).toEqual([34, 34]);
  await query.update(players).set({ level: null }).where(eq(players.id, 2));
  expect((await latest()).map(({ level }) => level)).toEqual([0, 0]);
});
