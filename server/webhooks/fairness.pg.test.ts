import type { ServerResponse } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import { expect, test } from "vitest";
import { goodReceiver, type HookReceiver, hookReceiver } from "#server/testing/hook-receiver";
import { hitsAt, hookSettings, mintHooks, testDeliverer } from "#server/testing/hook-world";
import { twoInstances } from "#server/testing/two-instances";
import { sharedConcurrency } from "./claim-store";
import { choosableTypes, EndpointInput } from "./contract";
import { addEndpoint } from "./endpoint-acts";
import { verifyEndpoint } from "./try-endpoint";

const { here, there } = await twoInstances(hookSettings);
const deliverers = [await testDeliverer(here.ctx), await testDeliverer(there.ctx)];
const runBoth = () => Promise.all(deliverers.map((deliverer) => deliverer.run()));
type Hooks = Awaited<ReturnType<typeof mintHooks>>;

/**
 * Receivers hold their first requests until `bound` are open, then answer each after a moment.
 * @returns the maximum of concurrent requests
 */
function observe(receivers: readonly HookReceiver[], bound: number): () => number {
  const open = new Set<ServerResponse>();
  let most = 0;
  const answer = () => {
    if (most >= bound) for (const response of open) void wait(10).then(() => response.end("ok"));
  };
  for (const receiver of receivers)
    receiver.behave((_request, response) => {
      open.add(response);
      most = Math.max(most, open.size);
      response.once("close", () => open.delete(response));
      answer();
    });
  return () => most;
}

/** A second endpoint of the application. */
async function addHook({ owner, key: { clientId } }: Hooks): Promise<HookReceiver> {
  const receiver = await hookReceiver();
  const input = EndpointInput.parse({ url: receiver.url, types: [...choosableTypes] });
  const { endpointId, secret } = await addEndpoint(here.ctx, owner, { clientId, ...input });
  receiver.behave(goodReceiver(() => secret));
  await verifyEndpoint(here.ctx, owner, { clientId, endpointId });
  return receiver;
}

async function mintBusy(members: number) {
  const receiver = await hookReceiver();
  const hooks = await mintHooks(here, receiver);
  for (let n = 0; n < members; n++) await hooks.member();
  return { hooks, receiver };
}

test("two instances together have four requests under way for an application, and it gets everything at all of its endpoints", async () => {
  const { hooks, receiver } = await mintBusy(3);
  const receivers = [receiver, ...(await Promise.all([1, 2, 3, 4].map(() => addHook(hooks))))];
  await runBoth();
  const most = observe(receivers, sharedConcurrency.application);
  await hooks.hits(...Array.from({ length: 8 }, (_, n) => `hit ${n}`));
  await runBoth();
  expect(receivers.map((each) => hitsAt(each).length)).toEqual(Array(5).fill(24));
  expect([sharedConcurrency.application, most()]).toEqual([4, 4]);
});

test("two instances together have eight requests under way at a host, and each application there gets everything", async () => {
  const busy = [];
  for (let n = 0; n < 7; n++) busy.push(await mintBusy(3));
  await runBoth();
  const most = observe(
    busy.map(({ receiver }) => receiver),
    sharedConcurrency.host,
  );
  for (const { hooks } of busy)
    await hooks.hits(...Array.from({ length: 6 }, (_, n) => `hit ${n}`));
  await runBoth();
  expect(busy.map(({ receiver }) => hitsAt(receiver).length)).toEqual(Array(7).fill(18));
  expect([sharedConcurrency.host, most()]).toEqual([8, 8]);
});

test("an application whose endpoints all hang leaves the others at their host their share", async () => {
  const { hooks: hanging, receiver } = await mintBusy(3);
  const receivers = [receiver, ...(await Promise.all([1, 2, 3, 4, 5].map(() => addHook(hanging))))];
  const other = await mintBusy(2);
  await runBoth();
  const open = new Set<ServerResponse>();
  let most = 0;
  for (const each of receivers)
    each.behave((_request, response) => {
      open.add(response);
      most = Math.max(most, open.size);
      response.once("close", () => open.delete(response));
    });
  await hanging.hits("a", "b", "c");
  for (const deliverer of deliverers) deliverer.wake();
  await Promise.race(receivers.map((each) => each.received(1)));
  other.receiver.behave(goodReceiver(() => other.hooks.secret));
  await other.hooks.hits(...Array.from({ length: 10 }, (_, n) => `hit ${n}`));
  for (const deliverer of deliverers) deliverer.wake();
  await other.receiver.received(20);
  expect(most).toBeLessThanOrEqual(4);
  for (const deliverer of deliverers) await deliverer.stop(0);
});
