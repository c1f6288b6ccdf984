import { eq } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { accounts, gameKeys, notices } from "#db/schema/accounts";
import { jobRuns } from "#db/schema/operations";
import { players } from "#db/schema/players";
import { readCallsLeft } from "#server/game/budget";
import type { GameClient } from "#server/game/client";
import { createRunner } from "#server/jobs/runner";
import { testDatabase } from "#server/testing/database";
import { enrol } from "#server/testing/enrol";
import { testContext } from "#server/testing/test-context";
import { demoPersonOf } from "#simulator/demo-people";
import { refreshUsersJob } from "../jobs/refresh-users";
import { callGame } from "./call-game";

const database = await testDatabase();
const { ctx, clock, simulator, log } = await testContext({ database });

/** Grants faction API access; "Recruit" does not. */
const position = "Officer";

beforeEach(async () => {
  await database.query.delete(accounts);
  await database.query.delete(players);
  simulator.control.clearFaults();
  simulator.control.setPlayer({ playerId: demoPersonOf("developer").playerId, position });
  simulator.control.clearCache();
  // Each test on a day of its own, at ten seconds past noon.
  clock.set(
    new Date(
      Math.floor(clock.now().getTime() / 86_400_000) * 86_400_000 + (36 * 3_600 + 10) * 1_000,
    ),
  );
});

type Call = (game: GameClient, text: string) => Promise<unknown>;
const ofUser: Call = (game, text) => game.player(text);
const ofFaction: Call = (game, text) => game.factionPositions(text);

/** Asks twice with a developer's key, which the game refuses with `code` each time. */
async function refused(code: number, call: Call) {
  const person = await enrol(ctx, "developer");
  simulator.control.clearCache();
  simulator.control.addFault({ player: person.playerId, code, times: 2 });
  const ask = () => callGame(ctx, { key: person.openKey, priority: "user", call });
  await expect(ask()).rejects.toMatchObject({ gameCode: code });
  await expect(ask()).rejects.toMatchObject({ name: "GameCallError" });
  const [key] = await database.query
    .select()
    .from(gameKeys)
    .where(eq(gameKeys.id, person.openKey.id ?? ""));
  const told = await database.query
    .select()
    .from(notices)
    .where(eq(notices.accountId, person.accountId));
  const [player] = await database.query
    .select()
    .from(players)
    .where(eq(players.id, person.playerId));
  return {
    person,
    player,
    ask,
    told: told.map(({ kind, text }) => ({
      kind,
      names: key !== undefined && text.includes(key.lastFour),
    })),
    key: key && {
      state: key.state,
      sealed: key.sealed !== null,
      access: key.factionApiAccess,
      error: key.lastError,
    },
  };
}

const working = { state: "active", sealed: true, access: true, error: null };
const once = (kind: string) => [{ kind: `game-key-${kind}`, names: true }];

test.each([1, 2])(
  "after code %i the key is dead: its text is wiped, its owner is told once",
  async (code) => {
    const { key, told } = await refused(code, ofUser);
    expect(key).toEqual({ ...working, state: "dead", sealed: false, error: "key-dead" });
    expect(told).toEqual(once("key-dead"));
  },
);

test.each([
  { code: 10, state: "disabled", error: "owner-unavailable" },
  { code: 13, state: "disabled", error: "owner-unavailable" },
  { code: 18, state: "paused", error: "key-paused" },
])(
  "mistake 22: after code $code, which passes, a key is $state and kept, and its owner is told once",
  async (what) => {
    const { key, told } = await refused(what.code, ofUser);
    expect(key).toEqual({ ...working, state: what.state, error: what.error });
    expect(told).toEqual(once(what.error));
  },
);

/** What became of a developer's key and access after code 7 on faction data; the game says of their position what it says. */
async function refusedFactionData(holds: string, ofKeyInfo?: { path: "key"; code: number }) {
  const person = await enrol(ctx, "developer");
  const callsBefore = await readCallsLeft(ctx, person.playerId, "user");
  simulator.control.setPlayer({ playerId: person.playerId, position: holds });
  simulator.control.clearCache();
  simulator.control.addFault({ path: "faction", code: 7 });
  if (ofKeyInfo) simulator.control.addFault(ofKeyInfo);
  const ask = () => callGame(ctx, { key: person.openKey, priority: "user", call: ofFaction });
  await expect(ask()).rejects.toMatchObject({ gameCode: 7 });
  const [key] = await database.query.select().from(gameKeys);
  const [player] = await database.query
    .select()
    .from(players)
    .where(eq(players.id, person.playerId));
  return {
    ask,
    person,
    key: key && {
      state: key.state,
      sealed: key.sealed !== null,
      access: key.factionApiAccess,
      error: key.lastError,
    },
    access: player?.factionApiAccess,
    told: (await database.query.select().from(notices)).map(({ kind }) => kind),
    calls: callsBefore - (await readCallsLeft(ctx, person.playerId, "user")),
  };
}

test("after code 7 on faction data, and no access by key info, the owner has none any more, is told once, and the key stays", async () => {
  const { key, access, told, calls, ask } = await refusedFactionData("Recruit");
  expect([key, access, told, calls]).toEqual([working, false, ["game-key-private-selection"], 2]);
  await expect(ask()).rejects.toMatchObject({ gameCode: 7 });
  expect(await database.query.$count(notices)).toBe(1);
});

test("after code 7 on faction data nothing is ended where key info says that access is there", async () => {
  const { key, access, told, calls, ask } = await refusedFactionData(position);
  expect([key, access, told, calls]).toEqual([working, true, [], 2]);
  await ask();
});

test("after code 7 on faction data nothing is ended where nobody can say what the position grants", async () => {
  const { access, told } = await refusedFactionData("Recruit", { path: "key", code: 17 });
  expect([access, told]).toEqual([true, []]);
});

test("after code 7 on faction data a key that turns out to be dead is wiped", async () => {
  const { key, told } = await refusedFactionData("Recruit", { path: "key", code: 2 });
  expect([key?.state, told]).toEqual(["dead", ["game-key-key-dead"]]);
});

test("after code 16 on faction data the key is known as too weak for it, its owner is told once, and the key stays", async () => {
  const { key, told, player } = await refused(16, ofFaction);
  expect(key).toEqual({ ...working, access: false, error: "access-level" });
  expect(player?.factionApiAccess).toBe(true);
  expect(told).toEqual(once("access-level"));
});

test.each([7, 16])("code %i on a player's data says nothing about the faction's", async (code) => {
  const { key, told, player } = await refused(code, ofUser);
  expect([key, told, player?.factionApiAccess]).toEqual([working, [], true]);
});

test("after code 14 the selection rests for an hour, others do not, and the owner is told once", async () => {
  const { key, told, ask, person } = await refused(14, ofFaction);
  expect(key).toEqual({ ...working, error: "daily-limit" });
  expect(told).toEqual(once("daily-limit"));
  await expect(ask()).rejects.toMatchObject({ kind: "daily-limit", retryAfter: 3_600 });
  simulator.control.clearFaults();
  await callGame(ctx, { key: person.openKey, priority: "user", call: ofUser });
  clock.advance(3_600);
  await ask();
});

test("after code 11 the key rests for a minute and works again", async () => {
  const { key, told, ask } = await refused(11, ofUser);
  expect([key, told]).toEqual([working, []]);
  await expect(ask()).rejects.toMatchObject({ kind: "key-just-changed" });
  simulator.control.clearFaults();
  clock.advance(60);
  await ask();
});

test("after code 5 nobody asks with the owner's keys for a minute", async () => {
  const { key, told, ask } = await refused(5, ofUser);
  expect([key, told]).toEqual([working, []]);
  simulator.control.clearFaults();
  await expect(ask()).rejects.toMatchObject({ kind: "owner-budget", retryAfter: 64 });
  clock.advance(64);
  await ask();
});

test("after code 8 no call of anybody is made for a minute, and operators are told", async () => {
  const { key, told, ask } = await refused(8, ofUser);
  expect([key, told]).toEqual([working, []]);
  simulator.control.clearFaults();
  await expect(ask()).rejects.toMatchObject({ kind: "ip-block", retryAfter: 60 });
  expect(
    log.lines.filter(({ level }) => level === "error").map(({ fields }) => fields),
  ).toContainEqual(expect.objectContaining({ kind: "ip-block", gameCode: 8 }));
  clock.advance(64);
  await ask();
});

test("mistake 25: one answer 'wrong id' deletes nobody", async () => {
  const { key, told, player, person } = await refused(6, ofUser);
  expect([key, told]).toEqual([working, []]);
  expect(player).toMatchObject({ id: person.playerId, name: person.name });
});

test.each([0, 3, 4, 9, 12, 15, 17, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 99])(
  "after code %i, which says nothing about the key, it is as before",
  async (code) => {
    const { key, told } = await refused(code, ofUser);
    expect([key, told]).toEqual([working, []]);
  },
);

test("mistakes 21 and 24: whatever the game refuses in a job, no key stands in its row, in the log or in a notice", async () => {
  const people = [
    await enrol(ctx, "developer"),
    await enrol(ctx, "banker"),
    await enrol(ctx, "loner"),
  ];
  clock.advance(3_601);
  simulator.control.clearCache();
  for (const [index, code] of [2, 18, 17].entries())
    simulator.control.addFault({ player: people[index]?.playerId, code, times: 3 });
  const runner = createRunner(ctx, [refreshUsersJob]);
  await runner.look();
  await runner.idle();
  const written = JSON.stringify([
    await database.query.select().from(jobRuns),
    await database.query.select().from(notices),
    await database.query.select().from(gameKeys),
    log.lines,
  ]);
  expect(written).toContain("key-paused");
  for (const { key } of people) expect(written).not.toContain(key);
});
