import { beforeEach, expect, test } from "vitest";
import { accounts } from "#db/schema/accounts";
import { gameBudgets } from "#db/schema/operations";
import { chargeCall, type Priority, readCallsLeft } from "#server/game/budget";
import { testDatabase } from "#server/testing/database";
import { enrol } from "#server/testing/enrol";
import { testContext } from "#server/testing/test-context";
import { callGame } from "./call-game";

const database = await testDatabase();
const { ctx, clock, simulator } = await testContext({ database, secondTries: true });

beforeEach(async () => {
  await database.query.delete(accounts);
  simulator.control.clearFaults();
  simulator.control.clearCache();
  clock.advance(86_400);
});

/** A key owner with a full budget. */
async function person() {
  const member = await enrol(ctx, "member");
  simulator.control.clearCache();
  await database.query.delete(gameBudgets);
  const ask = (priority: Priority = "background") =>
    callGame(ctx, { key: member.openKey, priority, call: (game, text) => game.player(text) });
  const spent = async () => 60 - (await readCallsLeft(ctx, member.playerId, "user"));
  return { ...member, ask, spent };
}

test.each([{ http: 502 }, { code: 17 }, { drop: true }])(
  "a call that fails with %j is made once more, and both are charged",
  async (fault) => {
    const { playerId, ask, spent } = await person();
    simulator.control.addFault({ player: playerId, ...fault });
    expect((await ask("user")).playerId).toBe(playerId);
    expect(await spent()).toBe(2);
  },
);

test("it is made once more and no oftener: two failures are a failure", async () => {
  const { playerId, ask, spent } = await person();
  simulator.control.addFault({ player: playerId, http: 500, times: 2 });
  await expect(ask()).rejects.toMatchObject({ kind: "server-side" });
  expect(await spent()).toBe(2);
  await ask();
});

test.each([{ code: 6 }, { code: 14 }, { code: 5 }, { malformed: true }, { http: 404 }])(
  "a call that fails with %j is not made again: the answer would be the same",
  async (fault) => {
    const { playerId, ask } = await person();
    simulator.control.addFault({ player: playerId, ...fault, times: 2 });
    await expect(ask()).rejects.toMatchObject({ name: "GameCallError" });
    // One of the two is still in wait for the next call.
    expect(simulator.control.state()).toMatchObject({ faults: 1 });
  },
);

test("where the budget has no second call left the first refusal stands, and the game is not asked", async () => {
  const { playerId, ask, spent } = await person();
  for (let call = 0; call < 29; call++) await chargeCall(ctx, playerId, "user");
  simulator.control.addFault({ player: playerId, http: 500 });
  await expect(ask("background")).rejects.toMatchObject({ kind: "server-side" });
  expect(await spent()).toBe(30);
});

test("while calls rest nobody pays for those that are not made", async () => {
  const { playerId, ask, spent } = await person();
  simulator.control.addFault({ player: playerId, http: 429 });
  await expect(ask()).rejects.toMatchObject({ kind: "ip-block" });
  for (let call = 0; call < 5; call++)
    await expect(ask()).rejects.toMatchObject({ kind: "ip-block", retryAfter: 60 });
  expect(await spent()).toBe(1);
  clock.advance(60);
  await ask();
});
