import { expect, test } from "vitest";
import { recordEvents } from "#server/event-log/record-events";
import { stocksTick } from "#server/stocks/events";
import { testDatabase } from "#server/testing/database";
import { goodReceiver } from "#server/testing/hook-receiver";
import { hitsAt, hookDeliveries, hookSettings, mintHooks } from "#server/testing/hook-world";
import { testContext } from "#server/testing/test-context";
import { checkFailingEndpoints } from "./disable-endpoint";

const database = await testDatabase();
const world = await testContext({ database, settings: hookSettings });
const { ctx, clock } = world;
const { receiver, deliverer, types, deliveries } = await hookDeliveries(world);

async function tick(...subjects: readonly string[]) {
  await database.transaction((tx) =>
    recordEvents(
      ctx,
      tx,
      subjects.map((subject) => ({ type: stocksTick, subject, data: { tick: 1 } })),
    ),
  );
  await ctx.settled();
}

test("a receiver that allows one a second and answers 429 with Retry-After gets everything at nearly that pace, and counts as working", async () => {
  const hooks = await mintHooks(world, receiver);
  await hooks.member();
  await deliverer.run();
  let last = Number.NEGATIVE_INFINITY;
  const taken: string[] = [];
  receiver.behave(({ body }, response) => {
    const now = clock.now().getTime();
    if (now - last < 1_000) return response.writeHead(429, { "retry-after": "2" }).end();
    last = now;
    taken.push(body.data.subject.id);
    return response.end("ok");
  });
  const subjects = Array.from({ length: 60 }, (_, n) => `hit ${n}`);
  await hooks.hits(...subjects);
  const start = clock.now().getTime();
  while (taken.length < subjects.length && clock.now().getTime() - start < 600_000) {
    await deliverer.run();
    const { dueAt } = await hooks.row();
    clock.set(new Date(Math.max(dueAt?.getTime() ?? 0, clock.now().getTime() + 10)));
    expect(await hooks.view()).toMatchObject({ health: "working", failures: 0 });
  }
  expect(taken).toEqual(subjects);
  expect((clock.now().getTime() - start) / 1_000).toBeLessThan(120);
  const bodies = new Map(receiver.events().map(({ id, text }) => [`${id} ${text}`, id]));
  expect(bodies.size).toBe(subjects.length);
});

test("an endpoint that answers 503 with Retry-After for four days is neither resting nor switched off, and gets everything afterwards", async () => {
  const hooks = await mintHooks(world, receiver);
  await hooks.member();
  await deliverer.run();
  receiver.behave((_request, response) => response.writeHead(503, { "retry-after": "3600" }).end());
  await hooks.hits("a", "b");
  for (let hour = 0; hour < 96; hour += 4) {
    await deliverer.run();
    await checkFailingEndpoints(ctx);
    clock.advance(4 * 3_600);
  }
  expect(await hooks.view()).toMatchObject({ state: "enabled", health: "working", failures: 0 });
  receiver.behave(goodReceiver(() => hooks.secret));
  await deliverer.run();
  clock.advance(120);
  await deliverer.run();
  expect(hitsAt(receiver)).toEqual(["a", "b"]);
});

test("one type that a receiver refuses stops no other: each refused event waits for its own next try, and the endpoint counts as alive", async () => {
  const hooks = await mintHooks(world, receiver);
  await hooks.member();
  await deliverer.run();
  receiver.behave(({ body }, response) =>
    response.writeHead(body.type === "retaliation.opened" ? 400 : 200).end(),
  );
  await hooks.hits(...Array.from({ length: 8 }, (_, n) => `refused ${n}`));
  await tick(...Array.from({ length: 20 }, (_, n) => `tick ${n}`));
  await deliverer.run();
  expect(types().filter((type) => type === "stocks.tick")).toHaveLength(20);
  for (let hour = 0; hour < 96; hour += 1) {
    clock.advance(3_600);
    await tick(`hour ${hour}`);
    await deliverer.run();
    await checkFailingEndpoints(ctx);
  }
  expect(types().filter((type) => type === "stocks.tick")).toHaveLength(116);
  expect(await hooks.view()).toMatchObject({ state: "enabled", waiting: 0 });
  const ends = (await deliveries(hooks)).rows.filter(({ outcome }) => outcome === "exhausted");
  expect(ends.map(({ attempt }) => attempt)).toEqual(Array(ends.length).fill(10));
});

test("events of one type that a receiver refuses for ever stop none of the same type behind them", async () => {
  const hooks = await mintHooks(world, receiver);
  await hooks.member();
  await deliverer.run();
  const taken: string[] = [];
  receiver.behave(({ body }, response) => {
    const { id } = body.data.subject;
    if (!id.startsWith("refused")) taken.push(id);
    response.writeHead(id.startsWith("refused") ? 400 : 200).end();
  });
  const good = Array.from({ length: 20 }, (_, n) => `hit ${n}`);
  await hooks.hits(...Array.from({ length: 6 }, (_, n) => `refused ${n}`), ...good);
  for (let hour = 0; hour < 60; hour += 1) {
    await deliverer.run();
    await checkFailingEndpoints(ctx);
    clock.advance(3_600);
  }
  expect(taken).toEqual(good);
  expect(await hooks.view()).toMatchObject({ state: "enabled" });
});

test("while every event fails, a type that has not failed is still tried, once", async () => {
  const hooks = await mintHooks(world, receiver);
  await hooks.member();
  await deliverer.run();
  receiver.behave((_request, response) => response.writeHead(500).end());
  await hooks.hits(...Array.from({ length: 9 }, (_, n) => `hit ${n}`));
  await deliverer.run();
  await tick("one", "two");
  await deliverer.run();
  expect(types()).toEqual([...Array(5).fill("retaliation.opened"), "stocks.tick"]);
  expect(await hooks.view()).toMatchObject({ health: "resting" });
});

test("an endpoint that redirects is told to change its URL", async () => {
  const hooks = await mintHooks(world, receiver);
  await hooks.member();
  await deliverer.run();
  receiver.behave((_request, response) =>
    response.writeHead(308, { location: "https://elsewhere.test/" }).end(),
  );
  await hooks.hits("a");
  await deliverer.run();
  const [row] = (await deliveries(hooks)).rows;
  expect(row).toMatchObject({
    status: 308,
    failure: expect.stringContaining("Change the endpoint's URL"),
  });
});
