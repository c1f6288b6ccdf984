import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { factionPositions } from "#db/schema/faction";
import { players } from "#db/schema/players";
import { createGameClient } from "#server/game/client";
import { testDatabase } from "#server/testing/database";
import { enrol } from "#server/testing/enrol";
import { testContext } from "#server/testing/test-context";
import { mintFaction, mintPlayer } from "#server/testing/world";
import { refreshPlayer } from "#server/users/refresh-player";
import { demoPersonOf } from "#simulator/demo-people";
import { abilities } from "#simulator/factions";
import { everyAbility } from "../contract";
import { readPositionsJob } from "../read-factions";
import { refreshFactionMembers } from "../refresh-members";
import { isBanker, readMembership } from "./membership";
import { refreshPositions } from "./refresh-positions";
import { listPositions } from "./store";

const database = await testDatabase();
const { ctx, clock, simulator } = await testContext({ database });
const { control } = simulator;
const lanternwatch = 7001;
const { openKey: key } = await enrol(ctx, "developer");
const { playerId: bankerId, openKey: bankersKey } = await enrol(ctx, "banker");
const credentials = { key, priority: "high" } as const;
await refreshFactionMembers(ctx, lanternwatch, credentials);

const read = () => refreshPositions(ctx, lanternwatch, credentials);
const membership = (playerId = bankerId) => readMembership(database.query, playerId);
const byName = async () =>
  new Map((await listPositions(database, lanternwatch)).map((row) => [row.name, row]));
const later = (seconds = 60) => {
  clock.advance(seconds);
  control.clearCache();
};
const officer = { name: "Officer", isDefault: false, abilities: ["Faction API Access" as const] };

test("before positions were read nobody but a leader has an ability; the game's word on API access counts", async () => {
  expect(await membership()).toMatchObject({
    positionName: "Banker",
    abilities: [],
    factionApiAccess: true,
  });
  expect(isBanker(await membership())).toBe(false);
});

test("positions are stored with Leader and Co-leader, who may do everything, and Recruit, who may do nothing", async () => {
  expect(await read()).toBe(6);
  const positions = await byName();
  expect(positions.get("Leader")?.abilities).toEqual(everyAbility);
  expect(positions.get("Co-leader")?.abilities).toEqual(everyAbility);
  expect(positions.get("Recruit")?.abilities).toEqual([]);
  expect(positions.get("Member")).toMatchObject({ isDefault: true });
  expect(isBanker(await membership())).toBe(true);
});

test("a position keeps its id for as long as it exists", async () => {
  const before = await byName();
  later();
  await read();
  expect(await byName()).toEqual(before);
});

test("a position that lost an ability takes it from its holders with the next sync", async () => {
  later();
  control.setPositions({
    factionId: lanternwatch,
    positions: [officer, { name: "Banker", isDefault: false, abilities: ["Points Giving"] }],
  });
  await read();
  expect(await membership()).toMatchObject({
    abilities: ["Points Giving"],
    factionApiAccess: false,
  });
  const [row] = await database.query.select().from(players).where(eq(players.id, bankerId));
  expect(row?.factionApiAccess).toBe(false);
});

test("a position that vanished is removed, and its holders have no right of it any more", async () => {
  later();
  control.setPositions({ factionId: lanternwatch, positions: [officer] });
  await read();
  expect((await byName()).has("Banker")).toBe(false);
  expect(await membership()).toMatchObject({
    positionName: "Banker",
    abilities: [],
    factionApiAccess: false,
  });
  expect(isBanker(await membership())).toBe(false);
});

test("abilities that nobody here knows are kept and grant nothing", async () => {
  later();
  control.setPositions({
    factionId: lanternwatch,
    positions: [{ ...officer, abilities: [...abilities] }],
  });
  await read();
  const stored = (await byName()).get("Officer")?.abilities;
  expect(stored).toEqual([...abilities]);
});

/** Reads the positions as `change` makes each of the game's lists of them. */
function readChanged(change: (rows: Row[], call: number) => unknown[]) {
  let calls = 0;
  const fetch = async (request: Request) => {
    const answer = await (await simulator.fetch(request)).json();
    if (answer.positions) answer.positions = change(answer.positions, ++calls);
    return Response.json(answer);
  };
  const game = createGameClient({ baseUrl: simulator.baseUrl, fetch, now: clock.now });
  return refreshPositions({ ...ctx, game }, lanternwatch, credentials);
}
type Row = Record<string, unknown>;
const without = (name: string) => (rows: Row[]) => rows.filter((row) => row.name !== name);
const granting = { name: "Banker", isDefault: false, abilities: ["Money Giving" as const] };

test("a list that lacks a position which members hold is believed after a second reading alone", async () => {
  later();
  control.setPositions({ factionId: lanternwatch, positions: [officer, granting] });
  await read();
  later();
  await readChanged((rows, call) => (call === 1 ? without("Banker")(rows) : rows));
  expect(isBanker(await membership())).toBe(true);
  later();
  await readChanged(without("Banker"));
  expect(isBanker(await membership())).toBe(false);
});

test("a list without the position of the player who reads it is refused", async () => {
  later();
  await read();
  const before = await byName();
  for (const change of [() => [], without("Officer")]) {
    later();
    await expect(readChanged(change)).rejects.toMatchObject({ kind: "unexpected-answer" });
  }
  expect(await byName()).toEqual(before);
});

test("a position whose row cannot be read keeps what was known of it, and costs no other", async () => {
  later();
  await read();
  later();
  await readChanged((rows) =>
    rows.map((row) => (row.name === "Banker" ? { ...row, abilities: null } : row)),
  );
  expect(isBanker(await membership())).toBe(true);
});

test("a change of faction ends the rights of the old one at once, whatever the position is called (ID-14, game 7.26)", async () => {
  later();
  const banker = { name: "Banker", isDefault: false, abilities: ["Money Giving" as const] };
  control.setPositions({ factionId: lanternwatch, positions: [officer, banker] });
  await read();
  expect(isBanker(await membership())).toBe(true);
  control.setPlayer({ playerId: bankerId, factionId: 7002 });
  later();
  await refreshPlayer(ctx, { playerId: bankerId, key: bankersKey, priority: "user" });
  expect(await membership()).toMatchObject({
    factionId: 7002,
    positionName: "Recruit",
    abilities: [],
    factionApiAccess: false,
  });
});

test("positions that a player of another faction reads are not taken for the old faction's", async () => {
  const before = await byName();
  control.setPlayer({
    playerId: demoPersonOf("developer").playerId,
    factionId: 7002,
    position: "Officer",
  });
  control.setPositions({ factionId: 7002, positions: [{ ...officer, name: "Spy" }, officer] });
  later();
  await expect(read()).rejects.toMatchObject({ kind: "unexpected-answer" });
  expect(await byName()).toEqual(before);
  expect(await membership(demoPersonOf("developer").playerId)).toMatchObject({ factionId: 7002 });
});

test("positions are read every hour, and soon where somebody holds one that is not known", async () => {
  const run = async () => {
    control.clearCache();
    return readPositionsJob.run(ctx, { budget: 60, signal: new AbortController().signal });
  };
  const plain = ["Banker", "Member"].map((name) => ({ ...officer, name, abilities: [] }));
  control.setPositions({ factionId: 7002, positions: [officer, ...plain] });
  await refreshFactionMembers(ctx, 7002, credentials);
  expect(await run()).toMatchObject({ factions: 1, positions: 6 });
  clock.advance(3_600);
  expect(await run()).toEqual({ failed: 0, skipped: 0 });
  clock.advance(1);
  expect(await run()).toMatchObject({ factions: 1 });
  await mintPlayer(ctx, { factionId: 7002, positionName: "Founder" });
  clock.advance(300);
  expect(await run()).toEqual({ failed: 0, skipped: 0 });
  clock.advance(1);
  expect(await run()).toMatchObject({ factions: 1 });
});

test("a faction without a member who may read its positions is left alone", async () => {
  await mintFaction(ctx, { id: 7777 });
  const rows = await database.query
    .select()
    .from(factionPositions)
    .where(eq(factionPositions.factionId, 7777));
  expect(rows).toEqual([]);
});
