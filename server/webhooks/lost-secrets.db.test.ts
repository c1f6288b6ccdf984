import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { appState } from "#db/schema/operations";
import { testDatabase } from "#server/testing/database";
import { goodReceiver, hookReceiver } from "#server/testing/hook-receiver";
import { hitsAt, hookSettings, mintHooks, testDeliverer } from "#server/testing/hook-world";
import { testContext } from "#server/testing/test-context";
import { changeEndpoint, rotateSecret } from "./endpoint-acts";
import { listDeliveries, listEndpoints } from "./endpoint-views";
import { sendTestEvent, verifyEndpoint } from "./try-endpoint";

const database = await testDatabase();
const receiver = await hookReceiver();
const secretOf = (letter: string) =>
  `${letter}-tests-alone-use-this-Server-Secret-0123456789-abcdefghij`;
const before = await testContext({
  database,
  settings: { ...hookSettings, serverSecret: secretOf("a") },
});
const hooks = await mintHooks(before, receiver);
await hooks.member();
await (await testDeliverer(before.ctx)).run();
const moved = await mintHooks(before, receiver);
await changeEndpoint(before.ctx, moved.owner, { ...moved.key, url: `${receiver.url}/moved` });
// Two sign when the server secret is lost.
await rotateSecret(before.ctx, hooks.owner, { ...hooks.key, keepDays: 7, leaked: false });

const lost = { ...hookSettings, serverSecret: secretOf("b") };
await database.query.delete(appState).where(eq(appState.key, "server-secret"));
const world = await testContext({ database, settings: lost, beside: before });
const { ctx } = world;
const view = async ({ owner, key } = hooks) => (await listEndpoints(ctx, owner, key))[0];

test("the developer sees which endpoints' secrets went with the server secret", async () => {
  expect(await view()).toMatchObject({ state: "enabled", secretLost: true });
  expect(await view(moved)).toMatchObject({ state: "unverified", secretLost: true });
});

test("nothing that needs a signature is tried before the secret is rotated", async () => {
  receiver.behave(goodReceiver(() => hooks.secret));
  const why = "The secret can no longer be read. Rotate it first.";
  await expect(
    sendTestEvent(ctx, hooks.owner, { ...hooks.key, type: "stocks.tick" }),
  ).rejects.toThrow(why);
  await expect(verifyEndpoint(ctx, moved.owner, moved.key)).rejects.toThrow(why);
  expect(receiver.requests()).toEqual([]);
});

test("nothing is sent unsigned: an attempt fails, and the next one comes later", async () => {
  await hooks.hits("meanwhile");
  const deliverer = await testDeliverer(ctx);
  await deliverer.run();
  expect(receiver.requests()).toEqual([]);
  const { rows } = await listDeliveries(ctx, hooks.owner, {
    ...hooks.key,
    ...{ unsuccessful: true, after: null },
  });
  expect(rows).toMatchObject([
    { failure: expect.stringMatching(/Rotate it/), nextAt: expect.any(Date) },
  ]);
  expect(world.log.lines.filter(({ level }) => level === "error")).toEqual([]);
});

test("with a new secret it goes on from where it stopped; what cannot be read signs no more", async () => {
  const { secret, previousUntil } = await rotateSecret(ctx, hooks.owner, {
    ...hooks.key,
    keepDays: 7,
    leaked: false,
  });
  expect(previousUntil).toBeNull();
  expect(await view()).toMatchObject({ state: "enabled", secretLost: false });
  receiver.behave(goodReceiver(() => secret));
  await (await testDeliverer(ctx)).run();
  expect(hitsAt(receiver)).toEqual(["meanwhile"]);
  expect(await view()).toMatchObject({ health: "working", failures: 0 });
});
