import { expect, test } from "vitest";
import { testDatabase } from "#server/testing/database";
import { hookReceiver } from "#server/testing/hook-receiver";
import { hookSettings, mintHooks } from "#server/testing/hook-world";
import { listOwnNotices } from "#server/testing/own-notices";
import { testContext } from "#server/testing/test-context";
import { disableEndpoint } from "./disable-endpoint";

const world = await testContext({ database: await testDatabase(), settings: hookSettings });
const { ctx } = world;

test("an endpoint whose stored URL cannot be read is switched off all the same, and its developer is told", async () => {
  const { owner, row } = await mintHooks(world, await hookReceiver());
  const endpoint = { ...(await row()), url: "hooks, one day" };
  await ctx.database.transaction((tx) => disableEndpoint(ctx, tx, endpoint, "gone"));
  expect(await row()).toMatchObject({ state: "disabled", reason: "gone" });
  const [notice] = await listOwnNotices(ctx, owner);
  expect(notice?.text).toContain("at an address that cannot be read answered with 410 Gone");
  expect(JSON.stringify(world.log.lines)).not.toContain("hooks, one day");
});
