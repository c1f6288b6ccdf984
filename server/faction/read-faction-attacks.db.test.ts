import { eq } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { retaliations } from "#db/schema/faction";
import { factions, players } from "#db/schema/players";
import { battleStats, statEntries } from "#db/schema/stats";
import { callAs } from "#server/testing/call-as";
import { testDatabase } from "#server/testing/database";
import { enrol } from "#server/testing/enrol";
import { sweepAll } from "#server/testing/sweep-all";
import { testContext } from "#server/testing/test-context";
import { mintPlayer } from "#server/testing/world";
import { refreshPlayer } from "#server/users/refresh-player";
import { demoPersonOf } from "#simulator/demo-people";
import { readAttacksJob } from "./read-factions";
import { refreshFactionMembers } from "./refresh-members";
import { listMembers } from "./store";

/** From a hit in the game to the answer of the API, with nothing between but the job. */
const database = await testDatabase();
const { ctx, clock, simulator } = await testContext({ database });
const { control } = simulator;
const ours = 7001;
const { openKey: key, playerId: officer } = await enrol(ctx, "developer");
const { openKey: membersKey } = await enrol(ctx, "member");
const [member, outsider] = [demoPersonOf("member").playerId, demoPersonOf("outsider").playerId];
for (const playerId of [officer, member, outsider])
  control.setPlayer({ playerId, status: { state: "Okay" } });
control.setPlayer({ playerId: member, position: "Member" });
await refreshFactionMembers(ctx, ours, { key, priority: "high" });

const run = () => readAttacksJob.run(ctx, { budget: 50, signal: new AbortController().signal });
const period = async () => {
  clock.advance(30);
  control.clearCache();
  return run();
};
const ask = (playerId: number) =>
  callAs(ctx, { playerId, scopes: ["faction:attacks"] })(`/faction/${ours}/attacks/retaliations`);
const open = async (playerId = member) => (await ask(playerId)).json as { code: string }[];
const shows = async (code: string) => (await open()).some((hit) => hit.code === code);
const strike = (requested: Partial<Parameters<typeof control.attack>[0]> = {}) =>
  control.attack({ attackerId: outsider, defenderId: member, result: "Mugged", ...requested }).code;

beforeEach(() => {
  clock.advance(3_600);
});

test("a hit shows within one period of the job, and is gone five minutes later", async () => {
  const code = strike();
  const ended = clock.now();
  expect(await shows(code)).toBe(false);
  await period();
  expect((await open()).find((hit) => hit.code === code)).toEqual({
    code,
    attack_ended: Math.floor(ended.getTime() / 1_000),
    defender: { ID: member, name: demoPersonOf("member").name },
    attacker: { ID: outsider, name: demoPersonOf("outsider").name },
  });
  clock.advance(240);
  expect(await shows(code)).toBe(true);
  clock.advance(31);
  expect(await shows(code)).toBe(false);
});

test("a hit that somebody of ours answers is gone within one period", async () => {
  const code = strike();
  await period();
  expect(await shows(code)).toBe(true);
  control.attack({
    attackerId: officer,
    defenderId: outsider,
    result: "Attacked",
    retaliation: true,
  });
  await period();
  expect(await shows(code)).toBe(false);
});

test("a hit of a war shows; one abroad outside a war, out of stealth or without respect does not", async () => {
  const war = strike({ war: true });
  const hidden = [
    strike({ overseas: true }),
    strike({ stealth: true }),
    strike({ respect: 0 }),
    strike({ result: "Lost" }),
  ];
  await period();
  expect(await shows(war)).toBe(true);
  for (const code of hidden) expect(await shows(code)).toBe(false);
});

test("what a run reads twice is kept once, and a run without news changes nothing", async () => {
  strike();
  await period();
  const before = await database.query.select().from(retaliations);
  control.clearCache();
  clock.advance(25);
  await run();
  const codes = before.map(({ code }) => code);
  expect((await database.query.select().from(retaliations)).map(({ code }) => code)).toEqual(
    expect.arrayContaining(codes),
  );
});

test("a hit on somebody who joined since the last listing shows too, known before or not, until they are seen elsewhere", async () => {
  const { playerId: recruit } = demoPersonOf("loner");
  control.setPlayer({
    playerId: recruit,
    factionId: ours,
    position: "Member",
    status: { state: "Okay" },
  });
  const onUnknown = strike({ defenderId: recruit });
  await period();
  expect(await shows(onUnknown)).toBe(true);

  await mintPlayer(ctx, { id: recruit, factionId: null, factionSeen: clock.now() });
  clock.advance(1);
  const onKnown = strike({ defenderId: recruit });
  await period();
  expect(await shows(onUnknown)).toBe(false);
  expect(await shows(onKnown)).toBe(true);

  await database.query
    .update(players)
    .set({ factionSeen: clock.now() })
    .where(eq(players.id, recruit));
  expect(await shows(onKnown)).toBe(false);
});

test("who leaves the faction loses its hits at once, and nobody avenges them any more (ID-14)", async () => {
  const code = strike();
  await period();
  expect((await ask(member)).status).toBe(200);
  control.setPlayer({ playerId: member, factionId: 7002 });
  control.clearCache();
  await refreshPlayer(ctx, { playerId: member, key: membersKey, priority: "user" });
  expect(await ask(member)).toMatchObject({ status: 403, json: { code: 4022 } });
  expect((await open(officer)).map((hit) => hit.code)).not.toContain(code);
});

test("the same sync keeps what the fights tell of opponents' strength, visible as the faction wishes", async () => {
  const score = {
    strength: 250_000,
    defense: 250_000,
    speed: 250_000,
    dexterity: 250_000,
    score: 2_000,
    at: clock.now(),
  };
  const members = (await listMembers(database, ours)) ?? [];
  await database.query
    .insert(battleStats)
    .values(members.map(({ playerId }) => ({ playerId, ...score })))
    .onConflictDoNothing();
  await database.query.delete(statEntries);
  await database.query
    .update(factions)
    .set({ statSharing: "faction" })
    .where(eq(factions.id, ours));
  clock.advance(6 * 3_600);
  await period();
  const entries = await database.query.select().from(statEntries);
  expect(entries).not.toEqual([]);
  const ids = members.map(({ playerId }) => playerId);
  for (const entry of entries) {
    expect(entry).toMatchObject({ visibleTo: ours, source: "fight" });
    expect(ids).toContain(entry.contributorId);
  }
  await period();
  const codes = (await database.query.select().from(statEntries)).map(
    ({ attackCode }) => attackCode,
  );
  expect(new Set(codes).size).toBe(codes.length);
});

test("hits go after a day", async () => {
  expect(await database.query.$count(retaliations)).toBeGreaterThan(0);
  clock.advance(86_401);
  await sweepAll(ctx);
  expect(await database.query.$count(retaliations)).toBe(0);
});
