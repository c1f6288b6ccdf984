import { expect, test } from "vitest";
import { testDatabase } from "#server/testing/database";
import { hookReceiver } from "#server/testing/hook-receiver";
import { hookSettings, mintHooks, testDeliverer } from "#server/testing/hook-world";
import { testContext } from "#server/testing/test-context";
import { countWaiting } from "./backlog";
import { createHeldEndpoint } from "./held-endpoint";
import { claimEndpoints } from "./lease-store";
import { findMessages } from "./messages";

const world = await testContext({ database: await testDatabase(), settings: hookSettings });
const { ctx, clock } = world;

test("messages that are added while consent is being asked stay, and are sent", async () => {
  const hooks = await mintHooks(world, await hookReceiver());
  await hooks.member();
  await (await testDeliverer(ctx)).run();
  await hooks.hits("a", "b");
  await countWaiting(ctx);
  const now = clock.now();
  const until = new Date(now.getTime() + 5_000);
  const background = ctx.database.background;
  const [lease] = await claimEndpoints(background, { owner: "test", now, until, limit: 1 });
  if (!lease) throw new Error("The endpoint was not claimed.");
  let whileAsking = () => {};
  const listening = {
    ...ctx,
    now: () => {
      whileAsking();
      return clock.now();
    },
  };
  const held = createHeldEndpoint(listening, lease);
  await held.check();
  const endpoint = await hooks.row();
  const stretch = { after: endpoint.seq, until: endpoint.counted, limit: 50 };
  const { messages } = await findMessages(ctx, ctx.database.query, { endpoint, ...stretch });
  const [first, second] = messages;
  if (!first || !second) throw new Error("There are two messages.");
  held.pending.add([first]);
  whileAsking = () => {
    whileAsking = () => {};
    held.pending.add([second]);
  };
  held.doubt();
  await held.check();
  expect(held.pending.all()).toEqual([first, second]);
});
