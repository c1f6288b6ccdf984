import { setTimeout as wait } from "node:timers/promises";
import { eq, sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { webhookDeliveries, webhookEndpoints } from "#db/schema/webhooks";
import { revocationChannel } from "#server/oauth/tokens/authenticate";
import { secondMs } from "#server/platform/time";
import { holdLocks, waitingFor } from "#server/testing/held-locks";
import { goodReceiver, type HookReceiver, hookReceiver } from "#server/testing/hook-receiver";
import { hitsAt, hookSettings, mintHooks, testDeliverer } from "#server/testing/hook-world";
import { twoInstances } from "#server/testing/two-instances";
import { extendClaims } from "#server/work/leases";
import { claimDeliveries } from "./claim-store";
import { choosableTypes, EndpointInput } from "./contract";
import {
  deliveryWorkTable,
  dropDeliveries,
  expediteDeliveries,
  refreshDueAt,
  upsertDeliveries,
} from "./delivery-store";
import { addEndpoint } from "./endpoint-acts";
import { lockEndpoints } from "./endpoint-store";
import { fanOut } from "./fan-out";
import { verifyEndpoint } from "./try-endpoint";

const { here, there } = await twoInstances(hookSettings);
const { ctx } = here;
const { query, transaction } = ctx.database;
const deliverer = await testDeliverer(ctx);
const plenty = { room: { fast: 100, slow: 50 }, held: 0 };
const claim = (instance = here) =>
  claimDeliveries(instance.ctx.database, { now: ctx.now(), ...plenty });
const isRowLock = sql`locktype in ('transactionid', 'tuple')`;

type Hooks = Awaited<ReturnType<typeof mintHooks>>;

async function mintBusy(members = 1): Promise<{ hooks: Hooks; receiver: HookReceiver }> {
  const receiver = await hookReceiver();
  const hooks = await mintHooks(here, receiver);
  for (let n = 0; n < members; n++) await hooks.member();
  await deliverer.run();
  receiver.behave(goodReceiver(() => hooks.secret));
  return { hooks, receiver };
}

/** A second endpoint of the application. */
async function addHook({ owner, key: { clientId } }: Hooks): Promise<void> {
  const receiver = await hookReceiver();
  const input = EndpointInput.parse({ url: receiver.url, types: [...choosableTypes] });
  const { endpointId, secret } = await addEndpoint(ctx, owner, { clientId, ...input });
  receiver.behave(goodReceiver(() => secret));
  await verifyEndpoint(ctx, owner, { clientId, endpointId });
}

const hits = (count: number) => Array.from({ length: count }, (_, n) => `hit ${n}`);

test("an endpoint that is left one request is claimed with all that waits, and other processes count that request alone", async () => {
  const [first, second] = [await mintBusy(2), await mintBusy(2)];
  for (const { hooks } of [first, second]) for (let n = 0; n < 3; n++) await addHook(hooks);
  await first.hooks.hits(...hits(10));
  await fanOut(ctx);
  const { claimed } = await claim();
  expect(claimed.map(({ requests, deliveries }) => [requests, deliveries.length])).toEqual(
    Array(4).fill([1, 20]),
  );
  await second.hooks.hits(...hits(10));
  await fanOut(ctx);
  expect((await claim(there)).claimed.map(({ deliveries }) => deliveries.length)).toEqual(
    Array(4).fill(20),
  );
  await query.delete(webhookDeliveries);
});

test("revocations without pause stop no deliveries", { timeout: 60_000 }, async () => {
  const { hooks, receiver } = await mintBusy();
  const listening = await testDeliverer(ctx);
  await listening.start();
  let revoking = true;
  const storm = (async () => {
    for (let n = 0; revoking; n++) {
      await there.ctx.database.hints.send(
        revocationChannel,
        JSON.stringify({ accountId: there.ctx.ids.uuid() }),
      );
      if (n % 10 === 0) await wait(1);
    }
  })();
  await hooks.hits(...hits(20));
  await expect.poll(() => hitsAt(receiver).length, { timeout: 20 * secondMs }).toBe(20);
  revoking = false;
  await storm;
  await listening.stop(0);
});

test.each([
  [
    "dropping deliveries",
    (endpointId: string) => transaction((tx) => dropDeliveries(tx, endpointId)),
  ],
  [
    "making them due",
    (endpointId: string) => transaction((tx) => expediteDeliveries(tx, endpointId)),
  ],
])("%s locks them in the order in which leases are extended", async (_what, act) => {
  const { hooks } = await mintBusy();
  const { endpointId } = hooks.key;
  await hooks.hits(...hits(3));
  await fanOut(ctx);
  const { claimed } = await claim();
  const deliveries = claimed.flatMap((each) => each.deliveries);
  const ids = deliveries.map(({ id }) => id).toSorted((one, other) => one - other);
  // The index by due time leads to the last one first.
  await query
    .update(webhookDeliveries)
    .set({ nextAt: sql`now() - ${webhookDeliveries.id} * interval '1 s'` })
    .where(eq(webhookDeliveries.endpointId, endpointId));
  const locked = query
    .select()
    .from(webhookDeliveries)
    .where(eq(webhookDeliveries.id, ids[0] ?? 0));
  const release = await holdLocks(ctx.database, locked.for("update").getSQL());
  const acting = act(endpointId);
  await expect.poll(() => waitingFor(ctx.database, isRowLock)).toBe(1);
  const free = await query
    .select({ id: webhookDeliveries.id })
    .from(webhookDeliveries)
    .where(eq(webhookDeliveries.endpointId, endpointId))
    .for("update", { skipLocked: true });
  expect(free).toHaveLength(ids.length - 1);
  await release();
  await acting;
  await extendClaims(query, deliveryWorkTable, deliveries);
  await query.delete(webhookDeliveries);
});

test("a claim that finds nothing at an endpoint does not hide what arrives meanwhile", async () => {
  const { hooks } = await mintBusy();
  const { endpointId } = hooks.key;
  await query
    .update(webhookEndpoints)
    .set({ dueAt: new Date(0), waiting: 1 })
    .where(eq(webhookEndpoints.id, endpointId));
  const { promise: committed, resolve: commit } = Promise.withResolvers<void>();
  const { promise: holding, resolve: locked } = Promise.withResolvers<void>();
  const putting = there.ctx.database.transaction(async (tx) => {
    await lockEndpoints(tx, [endpointId]);
    const about = { endpointId, seq: 1, playerId: null, type: "stocks.tick" };
    await upsertDeliveries(tx, [{ ...about, messageId: "evt_meanwhile" }]);
    locked();
    await committed;
  });
  await holding;
  const claiming = claim();
  await expect.poll(() => waitingFor(ctx.database, isRowLock)).toBe(1);
  commit();
  await Promise.all([putting, claiming]);
  expect((await hooks.row()).dueAt).not.toBeNull();
  await query.delete(webhookDeliveries);
  await transaction((tx) => refreshDueAt(tx, [endpointId]));
});

test("an endpoint that hangs keeps no more than what is being sent to it", {
  timeout: 30_000,
}, async () => {
  const { hooks, receiver } = await mintBusy(3);
  receiver.behave(() => {});
  await hooks.hits(...hits(10));
  const { endpointId } = hooks.key;
  deliverer.wake();
  await receiver.received(2);
  const held = () =>
    query.$count(
      webhookDeliveries,
      sql`${eq(webhookDeliveries.endpointId, endpointId)} and ${webhookDeliveries.leaseUntil} is not null`,
    );
  await expect.poll(held, { timeout: 10 * secondMs }).toBe(2);
});
