import { setTimeout as wait } from "node:timers/promises";
import { afterAll, expect, test } from "vitest";
import { openPostgres } from "#db/client";
import { createContext } from "#server/create-context";
import { secondMs } from "#server/platform/durations";
import { parseEnvironment } from "#server/platform/env";
import { patientDeadline, testPostgresUrl } from "#server/testing/database";
import { goodReceiver, hookReceiver } from "#server/testing/hook-receiver";
import { answerSlowly, hitsAt, mintHooks } from "#server/testing/hook-world";
import { type Instance, prepareInstances } from "#server/testing/instances";
import { recordedLog } from "#server/testing/recorded-log";

const url = await testPostgresUrl();
const environment = {
  SERVER_SECRET: "tests-alone-use-this-Server-Secret-0123456789-abcdefghij",
  DATABASE_URL: url,
  BASE_URL: "http://localhost:3000",
  WEBHOOK_LOOPBACK: "allowed",
  JOBS: "inline",
  DEMO: "0",
} as const;
const database = openPostgres({ url, deadline: patientDeadline });
// Everybody has the database's clock: instances are processes of their own.
const ctx = await createContext(parseEnvironment({ ...environment, JOBS: "off" }), { database, log: recordedLog() });
const instances = await prepareInstances();
afterAll(async () => {
  instances.remove();
  await ctx.close();
  await database.close();
});
const world = { ctx, clock: { now: ctx.now, advance: () => {}, set: () => {} } };
const receiver = await hookReceiver();

test("workers are killed between sending and writing: each event comes at least once, with the same id, and never more than two at once", {
  timeout: 180_000,
}, async () => {
  const hooks = await mintHooks(world, receiver);
  for (let n = 0; n < 3; n++) await hooks.member();
  const { most } = answerSlowly(receiver, hooks.secret, 20);
  const subjects = Array.from({ length: 100 }, (_, n) => `hit ${n}`);
  const running: Instance[] = [await instances.start(environment), await instances.start(environment)];
  for (let round = 0; round < 5; round++) {
    await hooks.hits(...subjects.slice(round * 20, round * 20 + 20));
    await receiver.received(receiver.events().length + 10);
    // The one that is at work is killed with those that it has just sent; the other, or a new one, goes on.
    await running.shift()?.kill();
    running.push(await instances.start(environment));
  }
  const complete = () => new Set(receiver.events().map(({ id }) => id)).size === 3 + 3 * subjects.length;
  for (let tries = 0; tries < 600 && !complete(); tries++) await wait(100);

  const byId = new Map<string, Set<string>>();
  for (const { id, text } of receiver.events()) byId.set(id, (byId.get(id) ?? new Set()).add(text));
  expect(byId.size).toBe(3 + 3 * subjects.length);
  for (const bodies of byId.values()) expect(bodies.size).toBe(1);
  expect(new Set(hitsAt(receiver))).toEqual(new Set(subjects));
  expect(most()).toBeLessThanOrEqual(2);
  for (const instance of running) await instance.kill();
});

test("an endpoint of a process that died is served again within seconds", { timeout: 60_000 }, async () => {
  const hooks = await mintHooks(world, receiver);
  await hooks.member();
  const one = await instances.start(environment);
  await receiver.received(1);
  receiver.behave(() => {});
  await hooks.hits("in flight");
  await receiver.received(1);
  await one.kill();
  receiver.behave(goodReceiver(() => hooks.secret));
  const two = await instances.start(environment);
  const start = performance.now();
  // What came before it may come again.
  for (let events = 1; !hitsAt(receiver).includes("in flight"); events++) await receiver.received(events);
  expect(performance.now() - start).toBeLessThan(10 * secondMs);
  await two.kill();
});
