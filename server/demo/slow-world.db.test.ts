import { expect, test } from "vitest";
import type { Job } from "#server/jobs/job";
import { testDatabase } from "#server/testing/database";
import { testContext } from "#server/testing/test-context";
import { gameCallError } from "../game/game-call-error";
import { createDemoJob } from "./run-demo";
import { countDemoData } from "./store";

const database = await testDatabase();
const { ctx, clock, simulator } = await testContext({ database, world: "demo" });
const demo = createDemoJob(simulator.control);
const run = (job: Job, game = ctx.game) =>
  job.run({ ...ctx, game }, { budget: 0, signal: new AbortController().signal });
const modelsInForce = async () => (await countDemoData(database.query)).models;

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

  const refusal = gameCallError({
    kind: "ip-block",
    retryAfter: 30,
    detail: "no calls are left in this minute",
  });
  const used: typeof ctx.game = { ...ctx.game, keyInfo: () => Promise.reject(refusal) };
  expect(await run(demo, used), "the rest waits for the next run").toMatchObject({ enrolled: 0 });

  // Past the window in which the calls of the first run count.
  clock.advance(70);
  await run(demo);
  expect(await modelsInForce(), "who is missing joins in one run").toBe(1);
});
