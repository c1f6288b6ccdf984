import { and, eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { organizedCrimeDelays, organizedCrimes } from "#db/schema/faction";
import { factions, players } from "#db/schema/players";
import type { Rows } from "#server/game/contract/rows";
import { callAs } from "#server/testing/call-as";
import { testDatabase } from "#server/testing/database";
import { enrol } from "#server/testing/enrol";
import { sweepAll } from "#server/testing/sweep-all";
import { testContext } from "#server/testing/test-context";
import { demoPersonOf } from "#simulator/demo-people";
import { readCrimesJob } from "../read-factions";
import { refreshCrimes } from "./refresh-crimes";

const database = await testDatabase();
const { ctx, clock, simulator } = await testContext({ database });
const { control } = simulator;
const ours = 7001;
const { openKey: key, playerId: officer } = await enrol(ctx, "developer");
const member = demoPersonOf("member").playerId;
const banker = demoPersonOf("banker").playerId;
for (const playerId of [officer, member, banker])
  control.setPlayer({ playerId, status: { state: "Okay" } });

const later = (seconds = 301) => {
  clock.advance(seconds);
  control.clearCache();
};
const read = (calls = 4) => refreshCrimes(ctx, ours, { key, priority: "background", calls });
const run = () => readCrimesJob.run(ctx, { budget: 60, signal: new AbortController().signal });
const away = (playerId: number) =>
  control.setPlayer({ playerId, status: { state: "Traveling", place: "the Far Isles" } });
const back = (playerId: number) => control.setPlayer({ playerId, status: { state: "Okay" } });
const delaysOf = (crimeId: number) =>
  database.query
    .select()
    .from(organizedCrimeDelays)
    .where(eq(organizedCrimeDelays.crimeId, crimeId));
const stored = async (crimeId: number) => {
  const crimes = database.query.select().from(organizedCrimes);
  return (await crimes.where(eq(organizedCrimes.id, crimeId)))[0];
};
const shown = async (playerId = member) => {
  const call = callAs(ctx, { playerId, scopes: ["faction:crimes"] });
  return (await call(`/faction/${ours}/crime/delays`)).json;
};

const { crimeId } = control.addCrime({
  factionId: ours,
  memberIds: [officer, member, banker],
  readyIn: 600,
});

test("nobody delays a crime that is not ready, wherever they are", async () => {
  away(member);
  await read();
  expect(await delaysOf(crimeId)).toEqual([]);
  expect(await stored(crimeId)).toMatchObject({ factionId: ours, delayedSince: null });
});

test("who is away when the crime is ready shows within one period of the job", async () => {
  later(601);
  expect(await run()).toMatchObject({ factions: 1 });
  expect(await delaysOf(crimeId)).toMatchObject([
    { playerId: member, factionId: ours, seenAt: clock.now() },
  ]);
  expect(await stored(crimeId)).toMatchObject({ delayedSince: clock.now() });
  expect(await shown()).toContainEqual({
    oc_id: crimeId,
    user_id: member,
    oc_position: expect.any(String),
    oc_position_index: expect.any(Number),
    delay_reason: expect.stringContaining("Far Isles"),
    seen_at: Math.floor(clock.now().getTime() / 1000),
  });
});

test("the first reason is kept, whatever comes after it (game 7.53)", async () => {
  const [first] = await delaysOf(crimeId);
  later();
  control.setPlayer({ playerId: member, status: { state: "Jail" } });
  await read();
  expect(await delaysOf(crimeId)).toEqual([first]);
});

test("who comes back does not take the delay along, and the crime goes on", async () => {
  later();
  back(member);
  await read();
  later();
  await read();
  expect(await stored(crimeId)).toMatchObject({ delayedSince: null });
  expect(await delaysOf(crimeId)).toHaveLength(1);
});

const listed = await ctx.game.factionMembers(key.reveal());
const crimeOf = (crimeId: number, playerId: number) => ({
  crimeId,
  name: "Harbour Lights",
  status: "Planning",
  createdAt: clock.now(),
  readyAt: clock.now(),
  expiredAt: null,
  executedAt: null,
  slots: [{ slot: "P1", position: "Lookout", positionIndex: 1, playerId }],
});
/** The game answers with these crimes, and with every member away. */
const readAs = (crimes: Rows<ReturnType<typeof crimeOf>>) => {
  const members = listed.map((one) => ({
    ...one,
    status: { state: "Hospital", description: "In hospital for 12 mins", until: null },
  }));
  const answer = { factionId: ours, crimes, members, membersCounted: null };
  const game = { ...ctx.game, factionCrimesWithMembers: async () => answer };
  return refreshCrimes({ ...ctx, game }, ours, { key, priority: "background", calls: 1 });
};

test("a delayed crime that the game no longer lists is over; one behind the last page that was read is not", async () => {
  const others = Array.from({ length: 99 }, (_, n) => crimeOf(910_000 + n, member));
  await readAs([crimeOf(900_002, member)]);
  expect(await stored(900_002)).toMatchObject({ delayedSince: clock.now() });
  await readAs([crimeOf(900_003, member), ...others]);
  expect(await stored(900_002)).toMatchObject({ delayedSince: clock.now() });
  await readAs(others);
  expect(await stored(900_002)).toMatchObject({ delayedSince: null });
  expect(await stored(900_003)).toMatchObject({ delayedSince: null });
});

test("a row that cannot be read keeps its own delay alone, unless the row has no id", async () => {
  const unreadable = (ids: number[], rows = ids.length): Rows<ReturnType<typeof crimeOf>> =>
    Object.assign([crimeOf(900_012, banker)], { unreadable: { rows, ids, why: [] } });
  await readAs([crimeOf(900_010, member), crimeOf(900_011, member)]);
  await readAs(unreadable([], 1));
  expect(await stored(900_011)).toMatchObject({ delayedSince: clock.now() });
  await readAs(unreadable([900_010]));
  expect(await stored(900_010)).toMatchObject({ delayedSince: clock.now() });
  expect(await stored(900_011)).toMatchObject({ delayedSince: null });
});

test("a change of member keeps what the former did (game 7.54)", async () => {
  // A participant missing from the listing spoils nothing (game 7.56).
  for (const playerId of [member, banker, 999_999]) await readAs([crimeOf(900_001, playerId)]);
  expect((await delaysOf(900_001)).map(({ playerId }) => playerId).sort()).toEqual([
    banker,
    member,
  ]);
});

test("members come along with the crimes, as of the same moment", async () => {
  later();
  control.setPlayer({ playerId: banker, factionId: null });
  await read();
  const [row] = await database.query.select().from(players).where(eq(players.id, banker));
  expect(row).toMatchObject({ factionId: null, positionName: null, factionApiAccess: false });
  expect(await shown()).not.toContainEqual(expect.objectContaining({ user_id: banker }));
});

test("a player who leaves the faction cannot read its delays any more (ID-14)", async () => {
  expect(await shown(banker)).toMatchObject({ code: 1102 });
});

test.each(["code", "map"] as const)(
  "a faction with the old crimes (as %s) is asked again every hour",
  async (answer) => {
    later();
    control.setOldCrimes({ factionId: ours, old: true, answer });
    expect(await run()).toMatchObject({ factions: 1, delays: 0, failed: 0 });
    const migrated = async () =>
      (await database.query.select().from(factions).where(eq(factions.id, ours)))[0]
        ?.crimesMigrated;
    expect(await migrated()).toBe(false);
    later(3_600);
    expect(await run()).toEqual({ failed: 0, skipped: 0 });
    control.setOldCrimes({ factionId: ours, old: false });
    later(1);
    expect(await run()).toMatchObject({ factions: 1 });
    expect(await migrated()).toBe(true);
  },
);

test("what the game sends broken changes nothing (RE-53)", async () => {
  later();
  const all = () => database.query.select().from(organizedCrimes).orderBy(organizedCrimes.id);
  const before = await all();
  control.addFault({ path: "faction", malformed: true });
  expect(await run()).toMatchObject({ failed: 1 });
  expect(await all()).toEqual(before);
  control.clearFaults();
});

test("crimes of another faction, read with the key of somebody who moved there, change nothing here", async () => {
  later();
  control.setPlayer({ playerId: officer, factionId: 7002, position: "Officer" });
  await expect(read()).rejects.toMatchObject({ kind: "unexpected-answer" });
  const [row] = await database.query.select().from(players).where(eq(players.id, officer));
  expect(row?.factionId).toBe(7002);
  const foreign = await database.query
    .select()
    .from(organizedCrimes)
    .where(and(eq(organizedCrimes.factionId, 7002)));
  expect(foreign).toEqual([]);
});

test("crimes go after ninety days without a word, delays stay", async () => {
  const before = await database.query.select().from(organizedCrimeDelays);
  clock.advance(91 * 86_400);
  await sweepAll(ctx);
  expect(await database.query.select().from(organizedCrimes)).toEqual([]);
  expect(await database.query.select().from(organizedCrimeDelays)).toEqual(before);
});
