import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { auditLog } from "#db/schema/operations";
import { recordEvents } from "#server/event-log/record-events";
import { revokeConsents } from "#server/oauth/consents/consent-acts";
import { stocksTick } from "#server/stocks/events";
import { testDatabase } from "#server/testing/database";
import { goodReceiver, isSigned } from "#server/testing/hook-receiver";
import { hitsAt, hookDeliveries, hookSettings, mintHooks } from "#server/testing/hook-world";
import { listOwnNotices } from "#server/testing/own-notices";
import { testContext } from "#server/testing/test-context";
import { checkFailingEndpoints } from "./disable-endpoint";
import { resumeEndpoint } from "./endpoint-acts";

const database = await testDatabase();
const world = await testContext({ database, settings: hookSettings });
const { ctx, clock } = world;
const { receiver, deliverer, types, failing, deliveries } = await hookDeliveries(world);

test("what happens is sent once to each player's grant, in order, signed, with the same thin body as in the list", async () => {
  const hooks = await mintHooks(world, receiver);
  const { user } = await hooks.member();
  await hooks.member();
  await hooks.hits("a", "b", "c");
  await deliverer.run();
  expect(types()).toEqual([
    "grant.approved",
    "grant.approved",
    ...Array(6).fill("retaliation.opened"),
  ]);
  const own = receiver.events().filter(({ body }) => body.data.sub === String(user.playerId));
  expect(own.map(({ body }) => body.data.subject.id).slice(1)).toEqual(["a", "b", "c"]);
  for (const request of receiver.events()) {
    expect(isSigned(hooks.secret, request)).toBe(true);
    expect(request.headers["webhook-id"]).toBe(request.body.id);
    expect(request.headers["webhook-version"]).toBe("2026-11-22");
    expect(request.text.length).toBeLessThan(20_000);
  }
  expect(new Set(receiver.events().map(({ id }) => id)).size).toBe(8);
  await deliverer.run();
  expect(receiver.events()).toHaveLength(8);
  expect(await hooks.view()).toMatchObject({ health: "working", waiting: 0 });
  expect((await deliveries(hooks)).rows).toHaveLength(8);
});

test("types that were not chosen are not sent, but the end of a grant always is", async () => {
  const hooks = await mintHooks(world, receiver, ["stocks.tick"]);
  const { user, consentId } = await hooks.member();
  await hooks.hits("a");
  await database.transaction((tx) =>
    recordEvents(ctx, tx, [{ type: stocksTick, subject: "1", data: { tick: 1 } }]),
  );
  await revokeConsents(ctx, user, { consentIds: [consentId] });
  await ctx.settled();
  await deliverer.run();
  expect(types()).toEqual(["stocks.tick", "grant.ended"]);
});

test("a failed message is sent again by the schedule with the same id and body, and what comes after it does not wait", async () => {
  const hooks = await mintHooks(world, receiver);
  await hooks.member();
  await deliverer.run();
  failing(500);
  await hooks.hits("a");
  await deliverer.run();
  expect((await deliveries(hooks)).rows[0]).toMatchObject({ nextAt: expect.any(Date) });
  receiver.behave(goodReceiver(() => hooks.secret));
  await hooks.hits("b");
  await deliverer.run();
  expect(hitsAt(receiver)).toEqual(["b"]);
  clock.advance(6);
  await deliverer.run();
  expect(hitsAt(receiver)).toEqual(["b", "a"]);
  const { rows } = await deliveries(hooks);
  const tried = rows.filter(({ messageId }) => messageId === receiver.events().at(-1)?.id);
  expect(tried).toMatchObject([
    { outcome: "delivered", attempt: 2, nextAt: null },
    { outcome: "failed", attempt: 1, status: 500, nextAt: null },
  ]);
});

test("after five failures an endpoint rests: its oldest message alone is tried, and one good answer brings all that waits", async () => {
  const hooks = await mintHooks(world, receiver);
  await hooks.member();
  await deliverer.run();
  failing(503);
  const many = Array.from({ length: 50 }, (_, n) => `hit ${n}`);
  await hooks.hits(...many);
  await deliverer.run();
  expect(receiver.events()).toHaveLength(5);
  expect(await hooks.view()).toMatchObject({ health: "resting", failures: 5 });
  for (let round = 0; round < 3; round++) {
    clock.advance(400);
    await deliverer.run();
  }
  expect(
    receiver
      .events()
      .slice(5)
      .map(({ body }) => body.data.subject.id),
  ).toEqual(["hit 0", "hit 0"]);
  receiver.behave(goodReceiver(() => hooks.secret));
  clock.advance(3_600);
  await deliverer.run();
  expect(hitsAt(receiver).sort()).toEqual([...many].sort());
  expect(await hooks.view()).toMatchObject({
    health: "working",
    waiting: 0,
    failures: 0,
  });
});

test("a dead host gets about fifteen requests, four notices, and is switched off after 72 hours; nothing that waited is lost", {
  timeout: 240_000,
}, async () => {
  const hooks = await mintHooks(world, receiver);
  await hooks.member();
  await deliverer.run();
  failing(500);
  await hooks.hits(...Array.from({ length: 20 }, (_, n) => `hit ${n}`));
  const start = clock.now().getTime();
  while (
    (await hooks.row()).state === "enabled" &&
    clock.now().getTime() - start < 100 * 3_600_000
  ) {
    await deliverer.run();
    await checkFailingEndpoints(ctx);
    clock.advance(600);
  }
  expect(await hooks.view()).toMatchObject({ state: "disabled", reason: "exhausted" });
  expect((clock.now().getTime() - start) / 3_600_000).toBeCloseTo(72, 0);
  expect(receiver.events().length).toBeGreaterThan(9);
  expect(receiver.events().length).toBeLessThan(20);
  const notices = await listOwnNotices(ctx, hooks.owner);
  expect(notices.map(({ kind }) => kind).reverse()).toEqual([
    "webhook-failing-1h",
    "webhook-failing-24h",
    "webhook-failing-60h",
    "webhook-switched-off",
  ]);
  receiver.behave(goodReceiver(() => hooks.secret));
  await resumeEndpoint(ctx, hooks.owner, { ...hooks.key, from: "stopped" });
  clock.advance(30 * 3_600);
  await deliverer.run();
  expect(new Set(hitsAt(receiver)).size).toBe(20);
});

test.each([
  ["410", 410, {}, "gone"],
  ["webhook-delivery: disable", 200, { "webhook-delivery": "disable" }, "asked"],
] as const)(
  "an endpoint that answers with %s is switched off at once, and the developer is told",
  async (_what, status, headers, reason) => {
    const hooks = await mintHooks(world, receiver);
    await hooks.member();
    await deliverer.run();
    failing(status, headers);
    await hooks.hits("a", "b", "c");
    await deliverer.run();
    expect(receiver.events().length).toBeLessThan(3);
    expect(await hooks.view()).toMatchObject({ state: "disabled", reason });
    expect((await listOwnNotices(ctx, hooks.owner)).map(({ kind }) => kind)).toEqual([
      "webhook-disabled",
    ]);
    const ended = eq(auditLog.act, "webhook.disabled");
    const events = await ctx.database.query.select().from(auditLog).where(ended);
    expect(events.at(-1)).toMatchObject({ actor: "job:webhooks", details: { reason } });
  },
);

test("abort-message gives one message up; Retry-After lengthens the wait and never shortens it", async () => {
  const hooks = await mintHooks(world, receiver);
  await hooks.member();
  await deliverer.run();
  failing(400, { "webhook-delivery": "abort-message" });
  await hooks.hits("unwanted");
  await deliverer.run();
  failing(429, { "retry-after": "100" });
  await hooks.hits("busy");
  await deliverer.run();
  clock.advance(90);
  await deliverer.run();
  expect(receiver.events()).toHaveLength(1);
  receiver.behave(goodReceiver(() => hooks.secret));
  clock.advance(15);
  await deliverer.run();
  expect(hitsAt(receiver)).toEqual(["busy"]);
});
