import { expect, test } from "vitest";
import type { Job } from "#server/jobs/job";
import { testDatabase } from "#server/testing/database";
import { testContext } from "#server/testing/test-context";
import { gameCallError } from "../game/game-call-error";
import { runDemo } from "./run-demo";
import { countWhatWasRead } from "./store";

const database = await testDatabase();
const { ctx, clock, simulator } = await testContext({ database, world: "demo" });
const demo = runDemo(simulator.control);
const run = (job: Job, game = ctx.game) =>
  job.run({ ...ctx, game }, { budget: 0, signal: new AbortController().signal });
const modelsInForce = async () => (await countWhatWasRead(database.query)).models;

/** At this hour of the simulated world too few were fought by the members of the first factions. */
const quietHours = 6_432;

test("on a quiet day, and where not all can be read in time, more players sign in until there are estimates", async () => {
  clock.advance(quietHours * 3_600);
  let asked = 0;
  const busy: typeof ctx.game = {
    ...ctx.game,
    // Every second player cannot be read in time.
    player: (key, playerId, selections) =>
      playerId !== undefined && asked++ % 2 === 0
        ? Promise.reject(gameCallError({ kind: "unexpected-answer", detail: "busy" }))
        : ctx.game.player(key, playerId, selections),
  };
  await run(demo, busy);
  expect(await modelsInForce()).toBe(0);
  let looks = 0;
  for (; looks < 4 && (await modelsInForce()) === 0; looks++) {
    clock.advance(30);
    await run(demo);
  }
  expect(await modelsInForce()).toBe(1);
  expect(looks, "the first factions are not enough").toBeGreaterThan(1);
});
