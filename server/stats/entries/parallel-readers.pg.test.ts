import { beforeEach, expect, test } from "vitest";
import { factions, players } from "#db/schema/players";
import { battleStats, statEntries, statLatest } from "#db/schema/stats";
import { testDatabase } from "#server/testing/database";
import { fight, fighter } from "#server/testing/fights";
import { mintScore } from "#server/testing/stat-facts";
import { testContext } from "#server/testing/test-context";
import { applyMemberListing } from "#server/users/membership/membership";
import { recordFights } from "./record-fights";
import { saveImport } from "./stat-import";

const database = await testDatabase();
const { ctx, clock } = await testContext({ database });
const { query } = database;

beforeEach(async () => {
  for (const table of [statEntries, statLatest, battleStats, players, factions])
    await query.delete(table);
});

const targets = Array.from({ length: 40 }, (_, index) => fighter(100 + index, 7002, 10));
const fights = targets.map((defender, index) =>
  fight({
    attacker: fighter(1, 7001),
    defender,
    ended: new Date(clock.now().getTime() - index * 1_000),
  }),
);

test("readers of the same fights, imports and listings that cross each other do not wait in a circle, and count once", async () => {
  await mintScore(ctx, 1, 1_000);
  const now = clock.now();
  const record = (attacks: typeof fights) =>
    database.transaction((tx) =>
      recordFights(tx, { attacks, factionId: 7001, sharing: "everybody", now }),
    );
  const list = (level: number, reversed: boolean) => {
    const members = targets.map(({ playerId, name }) => ({
      ...{
        playerId,
        name,
        level,
        position: "Member",
        status: "Okay",
        federalUntil: null,
        lastAction: null,
      },
    }));
    const at = new Date(now.getTime() + level * 1_000);
    return database.transaction((tx) =>
      applyMemberListing(ctx, tx, {
        ...{ factionId: 7002, at, watched: true },
        members: reversed ? members.reverse() : members,
      }),
    );
  };
  const rows = targets.map(({ playerId }) => ({
    ...{ playerId, strength: 1, defense: 1, speed: 1, dexterity: 1, seen: now },
  }));
  const bring = () =>
    database.transaction((tx) => saveImport(tx, { factionId: 7001, rows: rows.reverse() }));
  const added = await Promise.all([
    record(fights),
    list(20, false),
    record([...fights].reverse()),
    bring(),
    list(30, true),
    record(fights.slice(10)),
    list(40, false),
  ]);
  const counted = added.filter((count) => typeof count === "number");
  expect(counted.reduce((sum, count) => sum + count, 0)).toBe(fights.length + targets.length);
  expect(await query.$count(statEntries)).toBe(2 * targets.length);
  expect(await query.$count(statLatest)).toBe(2 * targets.length);
});
