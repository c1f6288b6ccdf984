import { beforeAll, expect, test } from "vitest";
import { type DemoAct, shockedStock, showDemo } from "#server/demo/acts";
import { enrolDemoPeople } from "#server/demo/demo-world";
import { verifyPaymentsJob } from "#server/faction/banking/verify-payments";
import { readAttacksJob } from "#server/faction/read-factions";
import type { Job } from "#server/jobs/job";
import { scopeNames } from "#server/scopes";
import { refreshStocksJob } from "#server/stocks/refresh-stocks";
import { showStock } from "#server/stocks/show-stocks";
import { callAs } from "#server/testing/call-as";
import { formWorld } from "#server/testing/form-world";
import { pickKey } from "#server/users/keys/pick-key";
import { demoPersonOf } from "#simulator/demo-people";
import { POST as postAct } from "./act/route";

const world = await formWorld();
const { ctx, simulator, clock } = world;
beforeAll(async () => void (await enrolDemoPeople(ctx)));

const member = demoPersonOf("member");
const call = callAs(ctx, { playerId: member.playerId, scopes: scopeNames });
const run = (job: Job) => job.run(ctx, { budget: 100, signal: new AbortController().signal });
const later = (seconds: number) => {
  clock.advance(seconds);
  simulator.control.clearCache();
};
const press = async (act: DemoAct | "earthquake", visitor = world.withKey(member.key)) => {
  const browser = await visitor;
  const answer = await browser.post(postAct, { act, csrf: await browser.csrf() });
  return [answer.status, answer.headers.get("location")];
};
const pressed = (act: DemoAct) => [303, `/demo?did=${act}`];

test("the hit is on who pressed the button, and can be answered", async () => {
  expect(await press("hit")).toEqual(pressed("hit"));
  later(30);
  await run(readAttacksJob);
  expect((await call("/faction/7001/attacks/retaliations")).json).toMatchObject([
    { defender: { ID: member.playerId, name: member.name } },
  ]);
});

test("a player of no demo faction makes a hit on somebody else", async () => {
  const hits = async () =>
    ((await call("/faction/7001/attacks/retaliations")).json as unknown[]).length;
  const before = await hits();
  expect(await press("hit", world.withKey(demoPersonOf("loner").key))).toEqual(pressed("hit"));
  later(30);
  await run(readAttacksJob);
  expect(await hits()).toBe(before + 1);
});

test("the crime that is held up is seen at once", async () => {
  expect(await press("crime")).toEqual(pressed("crime"));
  expect((await call("/faction/7001/crime/delays")).json).toContainEqual(
    expect.objectContaining({ delay_reason: "In hospital for 50 mins" }),
  );
});

test("a payment is made where nobody waits too, and found in the news; the balance never runs out", async () => {
  for (let payments = 1; payments <= 12; payments++) {
    expect(await press("payment")).toEqual(pressed("payment"));
    later(60);
    await run(verifyPaymentsJob);
    const paid = (await call("/faction/7001/banking?search_type=all")).json as { status: string }[];
    expect(paid.map(({ status }) => status)).toEqual(Array(payments).fill("fulfilled"));
    const told = async () => (await showDemo(ctx)).events.slice(0, 3).map(({ type }) => type);
    await expect
      .poll(told)
      .toEqual(["vault_request.verified", "vault_request.fulfilled", "vault_request.created"]);
  }
});

test("an outage lasts two minutes", async () => {
  const balance = async () => (await call("/faction/banking/vault")).status;
  expect(await press("outage")).toEqual(pressed("outage"));
  expect(await balance()).toBe(503);
  later(180);
  expect(await balance()).toBe(200);
});

test("the key is deleted, which its owner is told at once; made again it works, and may be deleted again", async () => {
  const { key, playerId } = demoPersonOf("loner");
  const told = async () => (await showDemo(ctx)).keyNotice;
  for (let times = 1; times <= 2; times++) {
    later(60);
    expect(await press("key")).toEqual(pressed("key"));
    await expect(ctx.game.keyInfo(key)).rejects.toMatchObject({ gameCode: 2 });
    expect(await told()).toEqual({
      text: expect.stringContaining("no longer exists"),
      createdAt: clock.now(),
    });
    expect(await pickKey(ctx, { of: "player", playerId })).toBeNull();
    expect(await press("key")).toEqual(pressed("key"));
    expect(await pickKey(ctx, { of: "player", playerId })).toMatchObject({ playerId });
  }
});

test("a stock jumps by 8 percent with its next tick, as its page shows", async () => {
  const shown = async () => (await showStock(ctx, shockedStock.acronym))?.stock.price ?? 0;
  later(60);
  await run(refreshStocksJob);
  const before = await shown();
  expect(await press("stock")).toEqual(pressed("stock"));
  later(60);
  await run(refreshStocksJob);
  expect((await shown()) / before).toBeGreaterThan(1.06);
});
