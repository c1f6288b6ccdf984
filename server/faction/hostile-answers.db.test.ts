import { expect, test } from "vitest";
import { organizedCrimes, retaliations } from "#db/schema/faction";
import { factions, players } from "#db/schema/players";
import type { Context } from "#server/context";
import { createGameClient } from "#server/game/client";
import type { Job } from "#server/jobs/job";
import { testDatabase } from "#server/testing/database";
import { enrol } from "#server/testing/enrol";
import { testContext } from "#server/testing/test-context";
import { demoPersonOf } from "#simulator/demo-people";
import { listPositions } from "./positions/store";
import {
  readAttacksJob,
  readCrimesJob,
  readPositionsJob,
  refreshMembersJob,
} from "./read-factions";

/** Answers of the simulated game that something changed on the way. */
const database = await testDatabase();
const { ctx: whole, clock, simulator, log } = await testContext({ database });
await enrol(whole, "developer");
const member = demoPersonOf("member").playerId;
const jobs = [refreshMembersJob, readPositionsJob, readAttacksJob, readCrimesJob];
const run = (job: Job, on: Context) =>
  job.run(on, { budget: 60, signal: new AbortController().signal });
for (const job of jobs) await run(job, whole);

type Json = Record<string, unknown>;
type Row = Json & { slots?: Json[]; attacker?: Json; basic?: Json };
const lists = ["members", "positions", "attacks", "crimes"];

/** A context on a game with tampered lists. */
function tampered(change: (rows: Row[]) => unknown): Context {
  const fetch = async (request: Request) => {
    const response = await simulator.fetch(request);
    const answer = (await response.json()) as Json;
    for (const name of lists)
      if (Array.isArray(answer[name])) answer[name] = change(answer[name] as Row[]);
    return Response.json(answer);
  };
  return {
    ...whole,
    game: createGameClient({ baseUrl: simulator.baseUrl, fetch, now: clock.now }),
  };
}

async function stored() {
  const people = await database.query.select().from(players).orderBy(players.id);
  return {
    people: people.map(({ id, name, factionId, positionName }) => ({
      id,
      name,
      factionId,
      positionName,
    })),
    positions: (await listPositions(database, 7001)).map(({ name, abilities }) => ({
      name,
      abilities,
    })),
  };
}

async function hour() {
  clock.advance(3_601);
  simulator.control.clearCache();
  simulator.control.attack({
    attackerId: demoPersonOf("outsider").playerId,
    defenderId: member,
    result: "Mugged",
  });
  clock.advance(20);
  log.lines.length = 0;
}

test("rows that come twice are stored once", async () => {
  await hour();
  const before = await stored();
  const twice = tampered((rows) =>
    [...rows, ...rows].map((row) =>
      row.slots ? { ...row, slots: [...row.slots, ...row.slots] } : row,
    ),
  );
  for (const job of jobs) expect(await run(job, twice)).toMatchObject({ factions: 1, failed: 0 });
  expect(await stored()).toEqual(before);
  const codes = (await database.query.select().from(retaliations)).map(({ code }) => code);
  expect(codes).not.toEqual([]);
});

test.each<[string, (rows: Row[]) => unknown]>([
  ["a map in place of a list", (rows) => ({ ...rows })],
  ["a list of nothing", (rows) => rows.map(() => null)],
  [
    "ids that no store takes",
    (rows) => rows.map((row) => ({ ...row, id: 2 ** 40, name: 2 ** 40 })),
  ],
  ["ids as text", (rows) => rows.map((row) => ({ ...row, id: String(row.id), name: 7 }))],
  [
    "a time in the year 300,000",
    (rows) =>
      rows.map((row) => ({ ...row, ended: 9e12, created_at: 9e12, level: 2 ** 33, name: null })),
  ],
  [
    "a name with U+0000",
    (rows) => rows.map((row) => ({ ...row, name: "a\u0000b", result: "a\u0000b" })),
  ],
])("%s is refused, what was stored stays, and the jobs go on (RE-53)", async (_, change) => {
  await hour();
  const before = await stored();
  for (const job of jobs) {
    const counts = await run(job, tampered(change));
    expect(counts.broken).toBeUndefined();
    expect(counts.slow).toBeUndefined();
  }
  const after = await stored();
  // An attack may name unknown opponents.
  expect(after.people).toEqual(expect.arrayContaining(before.people));
  expect(after.positions).toEqual(before.positions);
  expect(log.lines.filter(({ level }) => level === "error")).toEqual([]);
});

test("after all that the next true answers are read as ever", async () => {
  await hour();
  for (const job of jobs) expect(await run(job, whole)).toMatchObject({ factions: 1, failed: 0 });
  expect(await database.query.$count(organizedCrimes)).toBeGreaterThan(0);
  expect(
    (await database.query.select().from(factions)).find(({ id }) => id === 7001)?.crimesMigrated,
  ).toBe(true);
});
