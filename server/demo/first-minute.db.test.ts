import { expect, test, vi } from "vitest";
import { verifyPaymentsJob } from "#server/faction/banking/verify-payments";
import { readAttacksJob } from "#server/faction/read-factions";
import type { Job } from "#server/jobs/job";
import { scopeNames } from "#server/scopes";
import { callAs } from "#server/testing/call-as";
import { connectPlayer } from "#server/testing/connected-player";
import { testDatabase } from "#server/testing/database";
import { listUnreal } from "#server/testing/demo-answers";
import { portalOf } from "#server/testing/portal-script";
import { testContext } from "#server/testing/test-context";
import { mintUser, portalUser } from "#server/testing/world";
import { demoPersonOf } from "#simulator/demo-people";
import { actInDemo } from "./acts";
import { createDemoJob } from "./run-demo";
import { holdUpCrime } from "./scenes";
import { findAccountId } from "./store";

const database = await testDatabase();
const world = await testContext({ database, world: "demo" });
const { ctx, clock, simulator } = world;
const run = (job: Job) => job.run(ctx, { budget: 250, signal: new AbortController().signal });
const demo = createDemoJob(simulator.control);
const callOf = (role: "developer" | "member") =>
  callAs(ctx, { playerId: demoPersonOf(role).playerId, scopes: scopeNames });
const call = callOf("developer");
const list = async (path: string) => (await call(path)).json as unknown[];

test("before the members are read, the button says how soon to try again", async () => {
  const user = await mintUser(ctx);
  await expect(actInDemo(ctx, user, "hit")).rejects.toThrow("Try again in a minute.");
});

test("in the first minute of a new demo every operation answers the developer with something real", async () => {
  await run(demo);
  const playerId = demoPersonOf("developer").playerId;
  const accountId = (await findAccountId(database.query, playerId)) ?? "";
  const owner = await mintUser(ctx);
  const scopes = ["identity", "faction", "service_key:usage"] as const;
  const { call: callApi } = await connectPlayer(ctx, owner, {
    scopes,
    player: { accountId, playerId },
  });
  await run(verifyPaymentsJob);
  clock.advance(30);
  await run(readAttacksJob);
  await ctx.settled();
  await expect.poll(() => listUnreal(callApi, ["List Events"])).toEqual([]);
  expect(await listUnreal(callApi)).toEqual([]);
});

test("its developer has an application in test with two test players, and one that is reported", async () => {
  const user = async (role: "developer" | "banker") => {
    const { playerId } = demoPersonOf(role);
    const accountId = (await findAccountId(database.query, playerId)) ?? "";
    return { ...portalUser(ctx, { accountId, playerId }), admin: role === "banker" };
  };
  const { applications, team } = portalOf(ctx, await user("developer"));
  const { rows } = await applications.list();
  const inTest = rows.find(({ name }) => name === "Chain Watch");
  expect(inTest?.openedAt).toBeNull();
  const { clientId = "" } = inTest ?? {};
  expect((await team.testPlayers({ clientId })).map(({ name }) => name)).toEqual([
    demoPersonOf("member").name,
    demoPersonOf("outsider").name,
  ]);
  const { admin } = portalOf(
    { ...ctx, settings: { ...ctx.settings, adminSecondFactor: "waived" } },
    await user("banker"),
  );
  expect((await admin.reported({ page: 1 })).rows).toMatchObject([
    { name: "Loot Herald", reporters: 1, reason: "scopes" },
  ]);
});

test("it goes on: a request is paid after a while, a crime is held up again, there is always a hit to answer", async () => {
  for (let minutes = 0; minutes < 24; minutes += 2) {
    clock.advance(120);
    await run(demo);
    simulator.control.clearCache();
    await run(readAttacksJob);
    expect(await list("/faction/7001/attacks/retaliations")).not.toHaveLength(0);
    expect(await list("/faction/7001/crime/delays")).not.toHaveLength(0);
  }
  const requests = await callOf("member")("/faction/7001/banking?search_type=all");
  expect((requests.json as unknown[]).length).toBeGreaterThan(2);
});

test("each crime that is held up is one more, and those that wait go on waiting", async () => {
  const waiting = async () =>
    ((await list("/faction/7001/crime/delays")) as { oc_id: number; user_id: number }[]).map(
      ({ oc_id }) => oc_id,
    );
  const before = await waiting();
  expect(await holdUpCrime({ ctx, game: simulator.control })).toBe(true);
  expect(await holdUpCrime({ ctx, game: simulator.control })).toBe(true);
  const after = await waiting();
  expect(after).toEqual(expect.arrayContaining(before));
  expect(new Set(after).size).toBe(new Set(before).size + 2);
  expect(simulator.control.waitingCrew({ factionId: 7001 }), "three in each crime").toSatisfy(
    (crew: number[]) => crew.length >= 6 && new Set(crew).size === crew.length,
  );
});

test("where nobody is free any more, the button says so", async () => {
  const user = await mintUser(ctx);
  for (let crimes = 0; crimes < 40; crimes++)
    if (!(await holdUpCrime({ ctx, game: simulator.control }))) break;
  await expect(actInDemo(ctx, user, "crime")).rejects.toThrow("Nobody is free for this now.");
});

test("a process that starts again finds its world filled, and asks the game for no key a second time", async () => {
  const again = await testContext({ database, beside: world });
  const asked = vi.spyOn(again.ctx.game, "keyInfo");
  expect(
    await demo.run(again.ctx, { budget: 0, signal: new AbortController().signal }),
  ).toMatchObject({ enrolled: 0 });
  expect(asked).not.toHaveBeenCalled();
});
