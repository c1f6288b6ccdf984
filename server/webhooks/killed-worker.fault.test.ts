import { and, eq } from "drizzle-orm";
import { afterAll, expect, test } from "vitest";
import { openPostgres } from "#db/client";
import { webhookAttempts } from "#db/schema/webhooks";
import { createContext } from "#server/create-context";
import { parseEnvironment } from "#server/platform/env";
import { secondMs } from "#server/platform/time";
import { patientDeadline, testPostgresUrl } from "#server/testing/database";
import { goodReceiver, hookReceiver } from "#server/testing/hook-receiver";
import { answerSlowly, hitsAt, mintHooks } from "#server/testing/hook-world";
import { type Instance, prepareInstances } from "#server/testing/instances";
import { livedTime } from "#server/testing/lived-time";
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
// On the database's clock, because instances are separate processes.
const ctx = await createContext(parseEnvironment({ ...environment, JOBS: "off" }), {
  database,
  log: recordedLog(),
});
const instances = await prepareInstances();
afterAll(async () => {
  instances.remove();
  await ctx.close();
  await database.close();
});
const world = { ctx, clock: { now: ctx.now, advance: () => {}, set: () => {} } };
/** Messages recorded as delivered. */
async function written(endpointId: string): Promise<Set<string>> {
  const { messageId, outcome } = webhookAttempts;
  const rows = await database.query
    .select({ messageId })
    .from(webhookAttempts)
    .where(and(eq(webhookAttempts.endpointId, endpointId), eq(outcome, "delivered")));
  return new Set(rows.map((row) => row.messageId));
}
/**
 * Resolves at this count. A worker killed earlier leaves an already received message to the next
 * one.
 */
const untilWritten = (endpointId: string, messages: number) =>
  expect
    .poll(async () => (await written(endpointId)).size, { timeout: 60_000, interval: 50 })
    .toBe(messages);

test("workers are killed between sending and writing: each event comes at least once, with the same id, none of those that were written again, and never more than two at once", {
  timeout: 180_000,
}, async () => {
  const receiver = await hookReceiver();
  const hooks = await mintHooks(world, receiver);
  for (let n = 0; n < 3; n++) await hooks.member();
  const { most } = answerSlowly(receiver, hooks.secret, 20);
  const subjects = Array.from({ length: 100 }, (_, n) => `hit ${n}`);
  const kills: { readonly done: ReadonlySet<string>; readonly come: number }[] = [];
  const running: Instance[] = [
    await instances.start(environment),
    await instances.start(environment),
  ];
  for (let round = 0; round < 5; round++) {
    await hooks.hits(...subjects.slice(round * 20, round * 20 + 20));
    await receiver.received(receiver.events().length + 10);
    // Kills the busy one right after a send; another one continues.
    await running.shift()?.kill();
    kills.push({
      done: await written(hooks.key.endpointId),
      come: receiver.events().length,
    });
    running.push(await instances.start(environment));
  }
  const messages = 3 + 3 * subjects.length;
  await untilWritten(hooks.key.endpointId, messages);

  const byId = new Map<string, Set<string>>();
  for (const { id, text } of receiver.events()) byId.set(id, (byId.get(id) ?? new Set()).add(text));
  expect(byId.size).toBe(messages);
  for (const { done, come } of kills) {
    const later = receiver.events().slice(come);
    expect(later.filter(({ id }) => done.has(id))).toEqual([]);
  }
  for (const bodies of byId.values()) expect(bodies.size).toBe(1);
  expect(new Set(hitsAt(receiver))).toEqual(new Set(subjects));
  expect(most()).toBeLessThanOrEqual(2);
  for (const instance of running) await instance.kill();
});

test("what a process that died had under way, and nothing else, is sent again within seconds", {
  timeout: 60_000,
}, async () => {
  const receiver = await hookReceiver();
  const hooks = await mintHooks(world, receiver);
  await hooks.member();
  const one = await instances.start(environment);
  await untilWritten(hooks.key.endpointId, 1);
  receiver.behave(() => {});
  await hooks.hits("in flight");
  await receiver.received(1);
  const [inFlight] = receiver.events();
  await one.kill();
  receiver.behave(goodReceiver(() => hooks.secret));
  const two = await instances.start(environment);
  const lived = livedTime();
  await receiver.received(1);
  expect(lived()).toBeLessThan(10 * secondMs);
  await untilWritten(hooks.key.endpointId, 2);
  expect(hitsAt(receiver)).toEqual(["in flight"]);
  expect(receiver.events().map(({ id, text }) => [id, text])).toEqual([
    [inFlight?.id, inFlight?.text],
  ]);
  await two.kill();
});
