import { afterAll, beforeEach, expect, test } from "vitest";
import { openPostgres } from "#db/client";
import { gameBudgets } from "#db/schema/operations";
import { testPostgresUrl } from "#server/testing/database";
import { movableClock } from "#server/testing/movable-clock";
import { chargeCall, createAddressBudget, windowSeconds } from "./budget";
import { createGameClient, type GameClient } from "./client";
import { isGameCallError } from "./game-call-error";

/** Three processes on one database and one address, and a game that writes down when it was called. */
const url = await testPostgresUrl();
const databases = [1, 2, 3].map(() => openPostgres({ url }));
const [one] = databases;
if (!one) throw new Error("No database was opened.");
afterAll(() => Promise.all(databases.map((database) => database.close())));
const clock = movableClock(new Date("2026-03-01T12:00:58.300Z"));
const key = "SecretSecret0123";
const limit = 200;
/** What all calls but those of sign-ins may fill. */
const usual = 190;

let received: number[] = [];
let codes: number[] = [];
const fetch = async () => {
  received.push(clock.now().getTime());
  const code = codes.shift();
  if (code !== undefined) return Response.json({ error: { code, error: "Words" } });
  return Response.json({ basic: { id: 42, name: "F" } });
};

let processes: GameClient[];
beforeEach(async () => {
  await one.query.delete(gameBudgets);
  clock.advance(300);
  [received, codes] = [[], []];
  processes = databases.map((database) => {
    const address = createAddressBudget({ database, now: clock.now, limit });
    return createGameClient({ baseUrl: "https://game.invalid/v2", fetch, now: clock.now, address });
  });
});

/** The most calls in any 60 seconds. */
const mostInAMinute = () =>
  Math.max(
    0,
    ...received.map((end) => received.filter((at) => at > end - 60_000 && at <= end).length),
  );

/** All processes call at once. @returns how many calls were let through, and the refusals */
async function callTogether(each: number) {
  const calls = processes.flatMap((game) =>
    Array.from({ length: each }, () => game.factionBasic(key, 42)),
  );
  const refused = (await Promise.allSettled(calls)).flatMap((done) =>
    done.status === "rejected" ? [done.reason] : [],
  );
  return { passed: calls.length - refused.length, refused };
}

test("three processes that call as often as they can make in no 60 seconds more calls than the ceiling", async () => {
  for (const [pause, each] of [
    [0, 40],
    [1.6, 60],
    [0.5, 10],
    [20, 5],
    [38, 70],
    [1.5, 70],
    [0.4, 30],
    [61, 50],
    [3, 90],
  ] as const) {
    clock.advance(pause);
    const { refused } = await callTogether(each);
    for (const error of refused) {
      expect(isGameCallError(error) && [error.kind, error.selection]).toEqual([
        "ip-block",
        undefined,
      ]);
      expect(error.retryAfter).toBeGreaterThan(0);
    }
  }
  expect(mostInAMinute()).toBeLessThanOrEqual(usual);
  expect(mostInAMinute()).toBeGreaterThan(usual * 0.95);
  expect(received.length).toBeGreaterThan(1.9 * usual);
}, 60_000);

test("the ceiling is used to its last call, and is free again when the window is over", async () => {
  expect((await callTogether(90)).passed).toBe(usual);
  clock.advance(59);
  expect((await callTogether(3)).passed).toBe(0);
  clock.advance(windowSeconds - 59);
  expect((await callTogether(90)).passed).toBe(usual);
});

test("while all else has used up its share, the game still says whose a key is, until the ceiling", async () => {
  await callTogether(90);
  const asked = await Promise.allSettled(
    processes.flatMap((game) => Array.from({ length: 10 }, () => game.keyInfo(key))),
  );
  // The double answers with another record; what was let through is what reached it.
  expect(asked.every(({ status }) => status === "rejected")).toBe(true);
  expect(received).toHaveLength(limit);
  expect((await callTogether(2)).passed).toBe(0);
});

test("after the game's code 8 to one process none of them calls for a minute", async () => {
  codes = [8];
  const [first] = processes;
  await expect(first?.factionBasic(key, 42)).rejects.toMatchObject({
    kind: "ip-block",
    gameCode: 8,
  });
  expect((await callTogether(2)).passed).toBe(0);
  clock.advance(59);
  expect((await callTogether(2)).passed).toBe(0);
  clock.advance(windowSeconds - 59);
  expect((await callTogether(2)).passed).toBe(6);
});

test("a player's keys make sixty calls in any 60 seconds, whichever of three processes asks", async () => {
  for (const [pause, each] of [
    [0, 15],
    [1.8, 30],
    [40, 10],
    [17, 30],
    [2, 30],
    [1.9, 30],
    [62, 40],
  ] as const) {
    clock.advance(pause);
    await Promise.allSettled(
      databases.flatMap((database) =>
        Array.from({ length: each }, async () => {
          await chargeCall({ database, now: clock.now }, 1, "user");
          await fetch();
        }),
      ),
    );
  }
  expect(mostInAMinute()).toBe(60);
  expect(received.length).toBeGreaterThanOrEqual(120);
});

test("while the database does not answer a process makes a quarter of the calls by itself, and tells of them later", async () => {
  let silent = true;
  const database = {
    ...one,
    statement: ((...asked: Parameters<typeof one.statement>) => {
      if (silent) return { execute: () => new Promise(() => {}) };
      return one.statement(...asked);
    }) as typeof one.statement,
  };
  const address = createAddressBudget({ database, now: clock.now, limit, timeoutMs: 20 });
  const take = async (calls: number) => {
    const taken = await Promise.allSettled(
      Array.from({ length: calls }, () => address.take("usual")),
    );
    return taken.filter(({ status }) => status === "fulfilled").length;
  };
  const alone = Math.floor(usual / 4);
  expect(await take(80)).toBe(alone);
  expect(address.refusal()).toMatchObject({ kind: "ip-block" });
  silent = false;
  clock.advance(windowSeconds);
  expect(await take(10)).toBe(10);
  expect((await callTogether(90)).passed).toBe(usual - alone - 10);
});
