import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { webhookAttempts, webhookDeliveries } from "#db/schema/webhooks";
import { pauseConsent } from "#server/oauth/consents/consent-acts";
import { testDatabase } from "#server/testing/database";
import { goodReceiver, isSigned } from "#server/testing/hook-receiver";
import { hitsAt, hookDeliveries, hookSettings, mintHooks } from "#server/testing/hook-world";
import { sweepAll } from "#server/testing/sweep-all";
import { testContext } from "#server/testing/test-context";
import { findDueSince } from "./delivery-store";
import { changeEndpoint, rotateSecret } from "./endpoint-acts";
import { listDeliveries } from "./endpoint-views";
import { fanOut, mostWaiting } from "./fan-out";
import { replay } from "./replay";
import { verifyEndpoint } from "./try-endpoint";

const database = await testDatabase();
const world = await testContext({ database, settings: hookSettings });
const { ctx, clock } = world;
const { receiver, deliverer, types, failing } = await hookDeliveries(world);

test("a retry goes to today's address, signed by today's secrets", async () => {
  const hooks = await mintHooks(world, receiver);
  await hooks.member();
  await deliverer.run();
  failing(500);
  await hooks.hits("a");
  await deliverer.run();
  const { secret } = await rotateSecret(ctx, hooks.owner, {
    ...hooks.key,
    keepDays: 0,
    leaked: true,
  });
  await changeEndpoint(ctx, hooks.owner, { ...hooks.key, url: `${receiver.url}/moved` });
  receiver.behave(goodReceiver(() => secret));
  clock.advance(10);
  await deliverer.run();
  expect(receiver.requests()).toEqual([]);
  await verifyEndpoint(ctx, hooks.owner, hooks.key);
  await deliverer.run();
  expect(receiver.events().map(({ path }) => path)).toEqual(["/hook/moved"]);
  expect(receiver.events().every((request) => isSigned(secret, request))).toBe(true);
  expect(hitsAt(receiver)).toEqual(["a"]);
});

test("what was sent is sent again by id, by time and since a failure: the same id and body, by today's consent", async () => {
  const hooks = await mintHooks(world, receiver);
  const { user, consentId } = await hooks.member();
  await hooks.member();
  clock.advance(1);
  const start = clock.now();
  await hooks.hits("a");
  await deliverer.run();
  const [sent] = receiver
    .events()
    .filter(
      ({ body }) => body.type === "retaliation.opened" && body.data.sub === String(user.playerId),
    );
  receiver.behave(goodReceiver(() => hooks.secret));
  const again = (which: Parameters<typeof replay>[2]["which"]) =>
    replay(ctx, hooks.owner, { ...hooks.key, which });
  expect(await again({ messageId: sent?.id ?? "" })).toMatchObject({ queued: 1 });
  await deliverer.run();
  expect(receiver.events().map(({ id, text }) => [id, text])).toEqual([[sent?.id, sent?.text]]);
  expect(
    await again({ from: start, until: new Date(clock.now().getTime() + 1_000) }),
  ).toMatchObject({
    queued: 2,
    left: { count: 0 },
    next: null,
  });
  await deliverer.run();
  expect(hitsAt(receiver)).toHaveLength(3);
  failing(400, { "webhook-delivery": "abort-message" });
  await hooks.hits("b");
  await deliverer.run();
  await pauseConsent(ctx, user, { consentId });
  receiver.behave(goodReceiver(() => hooks.secret));
  expect(await again({ failedSince: start })).toMatchObject({ queued: 2 });
  await ctx.settled();
  await deliverer.run();
  expect(hitsAt(receiver)).toEqual(["b"]);
  await expect(again({ messageId: "evt_unknown" })).rejects.toThrow("No event with this id");
  for (let n = 0; n < 2; n++) await again({ failedSince: start });
  await expect(again({ failedSince: start })).rejects.toThrow("Too many requests");
});

test("above 10,000 waiting events there is one events.gap, and no flood", {
  timeout: 300_000,
}, async () => {
  const hooks = await mintHooks(world, receiver);
  await hooks.member();
  await deliverer.run();
  failing(500);
  await hooks.hits(...Array.from({ length: 6 }, (_, n) => `first ${n}`));
  await deliverer.run();
  for (let n = 0; n < 11; n++)
    await hooks.hits(...Array.from({ length: 1_000 }, (_, m) => `flood ${n} ${m}`));
  await deliverer.run();
  expect((await hooks.view()).waiting).toBeLessThan(mostWaiting);
  receiver.behave(goodReceiver(() => hooks.secret));
  await hooks.hits("after");
  clock.advance(3_600);
  await deliverer.run();
  expect(types().filter((type) => type === "events.gap")).toHaveLength(1);
  expect(receiver.events().length).toBeLessThan(1_100);
  expect(hitsAt(receiver).at(-1)).toBe("after");
  expect(receiver.events()[0]?.body.data).toMatchObject({
    after: expect.any(String),
    until: expect.any(String),
  });
});

test("a clock that is set back an hour freezes no endpoint, and one that is set forward loses nothing", async () => {
  const hooks = await mintHooks(world, receiver);
  await hooks.member();
  await deliverer.run();
  receiver.behave(goodReceiver(() => hooks.secret));
  clock.advance(-3_600);
  await hooks.hits("early");
  await deliverer.run();
  clock.advance(7_200);
  await hooks.hits("late");
  await deliverer.run();
  expect(hitsAt(receiver)).toContain("late");
});

test("a delivery whose lease ends later than any lease can is sent, and until then it counts as one that nobody sends", async () => {
  const hooks = await mintHooks(world, receiver);
  await hooks.member();
  await deliverer.run();
  await hooks.hits("a");
  const happened = clock.now();
  await fanOut(ctx);
  const dueSince = async (seconds: number) => {
    const leaseUntil = sql`now() + ${seconds} * interval '1 second'`;
    await database.query.update(webhookDeliveries).set({ leaseUntil });
    return findDueSince(database.query, clock.now());
  };
  expect(await dueSince(5)).toBeUndefined();
  expect(await dueSince(3_600)).toEqual(happened);
  await deliverer.run();
  expect(hitsAt(receiver)).toEqual(["a"]);
});

test("deliveries are listed for seven days, page by page", async () => {
  const hooks = await mintHooks(world, receiver);
  await hooks.member();
  await hooks.hits(...Array.from({ length: 60 }, (_, n) => `hit ${n}`));
  await deliverer.run();
  const asked = { ...hooks.key, unsuccessful: false };
  const first = await listDeliveries(ctx, hooks.owner, { ...asked, after: null });
  const second = await listDeliveries(ctx, hooks.owner, { ...asked, after: first.next });
  expect([first.rows.length, second.rows.length, second.next]).toEqual([50, 11, null]);
  expect(new Set([...first.rows, ...second.rows].map(({ id }) => id)).size).toBe(61);
  clock.advance(6 * 86_400);
  await sweepAll(ctx);
  expect(await database.query.$count(webhookAttempts)).toBeGreaterThan(0);
  clock.advance(2 * 86_400);
  await sweepAll(ctx);
  expect(await database.query.$count(webhookAttempts)).toBe(0);
});

test("a hundred messages that are sent again are sent once each", async () => {
  const hooks = await mintHooks(world, receiver);
  for (let n = 0; n < 4; n++) await hooks.member();
  clock.advance(1);
  const start = clock.now();
  await hooks.hits(...Array.from({ length: 25 }, (_, n) => `hit ${n}`));
  await deliverer.run();
  receiver.behave(goodReceiver(() => hooks.secret));
  const which = { from: start, until: new Date(clock.now().getTime() + 1_000) };
  expect(await replay(ctx, hooks.owner, { ...hooks.key, which })).toMatchObject({
    queued: 100,
  });
  await deliverer.run();
  expect(receiver.events()).toHaveLength(100);
  expect(new Set(receiver.events().map(({ id }) => id)).size).toBe(100);
});

test("an endpoint that fails every other time rests never and gets everything, at least once and under the same ids", async () => {
  const hooks = await mintHooks(world, receiver);
  for (let n = 0; n < 2; n++) await hooks.member();
  await deliverer.run();
  let turn = 0;
  const taken: string[] = [];
  receiver.behave(({ id }, response) => {
    turn += 1;
    if (turn % 2 === 0) taken.push(id);
    response.writeHead(turn % 2 === 0 ? 200 : 500).end();
  });
  await hooks.hits(...Array.from({ length: 20 }, (_, n) => `hit ${n}`));
  for (let round = 0; round < 40 && taken.length < 40; round++) {
    await deliverer.run();
    expect((await hooks.view()).health).not.toBe("resting");
    clock.advance(7_200);
  }
  expect(new Set(taken).size).toBe(40);
  expect(taken).toHaveLength(40);
});
