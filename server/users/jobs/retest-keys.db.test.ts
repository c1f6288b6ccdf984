import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { gameKeys } from "#db/schema/accounts";
import { testDatabase } from "#server/testing/database";
import { enrol } from "#server/testing/enrol";
import { testContext } from "#server/testing/test-context";
import { demoPersonOf } from "#simulator/demo-people";
import { retestKeysJob } from "./retest-keys";

const database = await testDatabase();
const { ctx, clock, simulator } = await testContext({ database });

const run = () => retestKeysJob.run(ctx, { budget: 100, signal: new AbortController().signal });
const rest = (playerId: number, state: "paused" | "disabled" | "dead") =>
  database.query
    .update(gameKeys)
    .set({ state, lastError: "test" })
    .where(eq(gameKeys.playerId, playerId));
const nothing = { failed: 0, skipped: 0 };
const stateOf = async (playerId: number) => {
  const [row] = await database.query.select().from(gameKeys).where(eq(gameKeys.playerId, playerId));
  return row?.state;
};

const tuesday = new Date("2026-03-03T00:20:00Z");
const monday = new Date("2026-03-09T00:20:00Z");

test("a key whose owner was away is back in use the day it answers again", async () => {
  const { playerId } = await enrol(ctx, "member");
  await rest(playerId, "disabled");
  clock.set(tuesday);
  simulator.control.addFault({ player: playerId, code: 13 });
  expect(await run()).toMatchObject({ resting: 1 });
  expect(await stateOf(playerId)).toBe("disabled");
  simulator.control.clearCache();
  expect(await run()).toMatchObject({ awake: 1 });
  expect(await stateOf(playerId)).toBe("active");
});

test("a key that its owner paused is asked about on Mondays alone", async () => {
  const { playerId, key } = await enrol(ctx, "banker");
  await rest(playerId, "paused");
  simulator.control.clearCache();
  clock.set(tuesday);
  expect(await run()).toEqual(nothing);
  clock.set(monday);
  expect(await run()).toMatchObject({ awake: 1 });
  simulator.control.pauseKey({ key });
});

test("a key that died meanwhile is wiped", async () => {
  const { playerId, key } = await enrol(ctx, "loner");
  await rest(playerId, "disabled");
  simulator.control.deleteKey({ key });
  simulator.control.clearCache();
  clock.set(tuesday);
  expect(await run()).toMatchObject({ resting: 1 });
  expect(await stateOf(demoPersonOf("loner").playerId)).toBe("dead");
  expect(await run()).toEqual(nothing);
});
