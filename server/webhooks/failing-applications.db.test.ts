import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { webhookEndpoints } from "#db/schema/webhooks";
import { testDatabase } from "#server/testing/database";
import { mintApplication } from "#server/testing/oauth-world";
import { testContext } from "#server/testing/test-context";
import { mintUser } from "#server/testing/world";
import { listFailingApplications } from "./endpoint-views";

const { ctx, clock } = await testContext({ database: await testDatabase() });
const on = ctx.database.query;

test("a developer is told of applications whose errors jumped within a day, and whose endpoints fail or were switched off", async () => {
  const owner = await mintUser(ctx);
  const { clientId } = await mintApplication(ctx, owner);
  await mintApplication(ctx, owner);
  const now = ctx.now();
  const endpoint = {
    ...{
      clientId,
      url: "https://hook.test/",
      description: "",
      types: [],
      version: "2026-01-01",
      secret: "x",
    },
    ...{ secretSince: now, stateSince: now, createdAt: now, seq: 0 },
  };
  const [working, failing] = [ctx.ids.uuid(), ctx.ids.uuid()];
  await on.insert(webhookEndpoints).values([
    { ...endpoint, id: working, state: "enabled", failures: 2 },
    { ...endpoint, id: failing, state: "paused", failures: 3 },
  ]);
  const failingOnes = () => listFailingApplications(ctx, owner);
  expect(await failingOnes()).toEqual([]);

  await on
    .update(webhookEndpoints)
    .set({ state: "enabled" })
    .where(eq(webhookEndpoints.id, failing));
  expect(await failingOnes()).toEqual([{ clientId, errorsJumped: false, endpoints: 1 }]);
  await on
    .update(webhookEndpoints)
    .set({ state: "disabled" })
    .where(eq(webhookEndpoints.id, working));
  expect(await failingOnes()).toEqual([{ clientId, errorsJumped: false, endpoints: 2 }]);

  await on.delete(webhookEndpoints);
  const notice = { text: "x", path: `/developers/apps/${clientId}/requests?outcome=failed` };
  await ctx.database.transaction((tx) =>
    ctx.notify(tx, { accountId: owner.accountId, ...notice, kind: "other" }),
  );
  expect(await failingOnes()).toEqual([]);
  await ctx.database.transaction((tx) =>
    ctx.notify(tx, { accountId: owner.accountId, ...notice, kind: "errors-jumped" }),
  );
  expect(await failingOnes()).toEqual([{ clientId, errorsJumped: true, endpoints: 0 }]);
  expect(await listFailingApplications(ctx, await mintUser(ctx))).toEqual([]);
  clock.advance(86_401);
  expect(await failingOnes()).toEqual([]);
});
