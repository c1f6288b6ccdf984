import { expect, test } from "vitest";
import { testDatabase } from "#server/testing/database";
import { mintApplication } from "#server/testing/oauth-world";
import { listOwnNotices } from "#server/testing/own-notices";
import { testContext } from "#server/testing/test-context";
import { mintUser } from "#server/testing/world";
import { notifyErrorJumpsJob } from "./traffic-jobs";

const { ctx, clock } = await testContext({ database: await testDatabase() });
const work = { budget: 0, signal: new AbortController().signal };
const run = () => notifyErrorJumpsJob.run(ctx, work);

async function logCalls(
  clientId: string,
  { good = 0, failed = 0, minutesAgo = 1, route = "/api/v1/user" },
) {
  const line = {
    requestId: ctx.ids.request(),
    method: "GET",
    accountId: null,
    clientId,
    address: null,
    micros: 1_000,
  };
  const at = new Date(ctx.now().getTime() - minutesAgo * 60_000);
  for (let index = 0; index < good + failed; index++) {
    const status = index < failed ? 403 : 200;
    ctx.logRequest({ ...line, at, route, status, failureCode: status === 403 ? 4004 : null });
  }
  await ctx.settled();
}

test("a developer hears once of errors that jump, with what failed most, and again of the next incident", async () => {
  const owner = await mintUser(ctx);
  const { clientId } = await mintApplication(ctx, owner, { name: "Roll Call" });
  await logCalls(clientId, { good: 95, failed: 5, minutesAgo: 300 });
  expect(await run()).toEqual({ told: 0 });
  await logCalls(clientId, { failed: 3, route: "/api/v1/stocks" });
  await logCalls(clientId, { good: 20, failed: 17 });
  // Two concurrent workers.
  expect(await Promise.all([run(), run()])).toEqual(
    expect.arrayContaining([{ told: 1 }, { told: 0 }]),
  );
  expect(await listOwnNotices(ctx, owner)).toMatchObject([
    {
      kind: "errors-jumped",
      text: "50% of the calls of “Roll Call” in the last 15 minutes failed: 20 of 40. Most of them were GET /api/v1/user, answered with 403 (code 4004). Before, it was 5%.",
      path: `/developers/apps/${clientId}/requests?outcome=failed&endpoint=GET+%2Fapi%2Fv1%2Fuser&range=1h&until=2026-03-01T12%3A01`,
    },
  ]);
  clock.advance(600);
  expect(await run(), "the same incident").toEqual({ told: 0 });
  clock.advance(2 * 86_400);
  await logCalls(clientId, { failed: 20 });
  expect(await run(), "two days later").toEqual({ told: 1 });
  expect((await listOwnNotices(ctx, owner))[0]?.text).toContain(
    "There was no call in the day before.",
  );
});

test("few calls, few errors, errors as always and a deleted application are no news", async () => {
  const owner = await mintUser(ctx);
  const app = async (name: string) => (await mintApplication(ctx, owner, { name })).clientId;
  await logCalls(await app("Few calls"), { failed: 19 });
  await logCalls(await app("Few errors"), { good: 75, failed: 25 });
  const always = await app("As always");
  await logCalls(always, { good: 60, failed: 40, minutesAgo: 120 });
  await logCalls(always, { good: 10, failed: 30 });
  await logCalls(await app("Long ago"), { failed: 50, minutesAgo: 16 });
  expect(await run()).toEqual({ told: 0 });
  expect(await listOwnNotices(ctx, owner)).toEqual([]);
});
