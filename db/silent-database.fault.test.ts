import { sql } from "drizzle-orm";
import { afterEach, expect, test } from "vitest";
import { errorCodesOf, isConnectionLost } from "#server/platform/errors";
import { testPostgresUrl } from "#server/testing/database";
import { livedTime } from "#server/testing/lived-time";
import { silentProxy } from "#server/testing/silent-proxy";
import { type Database, openPostgres, type Queryable } from "./client";

const url = await testPostgresUrl();
/** Milliseconds; as long as a busy machine needs to answer. */
const deadline = 1_500;
/** One sweep, plus the delays of a busy machine. */
const slack = 1_500;

const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

async function behindProxy(poolSize = 8) {
  const proxy = await silentProxy(url);
  const database = openPostgres({
    url: proxy.url,
    pools: { general: poolSize },
    deadline,
    jobDeadline: deadline,
  });
  ends.push(proxy.close, database.close);
  return { proxy, database };
}

const ask = (on: Queryable) => on.execute(sql`select 1 as one`);
const ways = (database: Database) => [
  () => ask(database.query),
  () => ask(database.keyPool),
  () => ask(database.tokenPool.query),
  () => ask(database.background.query),
  () => database.transaction(ask),
  () => database.tokenPool.transaction(ask),
  () => database.background.transaction(ask),
  () => database.serverTime(),
];

async function timed(call: () => Promise<unknown>) {
  const began = livedTime();
  const outcome = await call().then(
    () => "answered" as const,
    (error: unknown) => error,
  );
  return { outcome, took: began() };
}

async function expectLost(calls: readonly (() => Promise<unknown>)[]) {
  for (const { outcome, took } of await Promise.all(calls.map(timed))) {
    expect(isConnectionLost(outcome), String(outcome)).toBe(true);
    expect(took).toBeLessThan(deadline + slack);
  }
}

/**
 * Retries as callers do.
 * @returns milliseconds until all ways worked
 */
async function recovery(database: Database): Promise<number> {
  const began = livedTime();
  for (;;) {
    const all = await Promise.all(ways(database).map(timed));
    if (all.every(({ outcome }) => outcome === "answered")) return began();
    expect(began()).toBeLessThan(10_000);
  }
}

test("what a silent database leaves unanswered ends at the deadline, whichever way it was asked", async () => {
  const { proxy, database } = await behindProxy();
  await Promise.all(ways(database).map((way) => way()));
  proxy.silence();
  await expectLost(ways(database));
  expect(database.outages.lasting()).toBe(true);
  // New connections are silent as well.
  await expectLost(ways(database));
});

test("a host that takes the place of a silent one is found at once; the old connections are not waited for", async () => {
  const { proxy, database } = await behindProxy();
  await Promise.all(
    Array.from({ length: 4 }, () => ways(database))
      .flat()
      .map((way) => way()),
  );
  proxy.silence();
  const lost = Array.from({ length: 40 }, () => timed(() => ask(database.query)));
  await Promise.all(lost);
  proxy.heal();
  expect(await recovery(database)).toBeLessThan(deadline + slack);
  expect(database.outages.lasting()).toBe(false);
});

test("idle connections that died are found before anybody needs them", async () => {
  const { proxy, database } = await behindProxy();
  await Promise.all(ways(database).map((way) => way()));
  proxy.silence();
  await expect.poll(() => database.outages.lasting(), { timeout: 4 * deadline }).toBe(true);
  const dead = proxy.opened();
  proxy.heal();
  // The heartbeat needs a connection: the listener's sends its own.
  await expect.poll(() => database.outages.lasting(), { timeout: 4 * deadline }).toBe(false);
  expect(proxy.opened()).toBeGreaterThan(dead);
  expect(await recovery(database)).toBeLessThan(deadline + slack);
});

test("a transaction whose connection falls silent in the middle fails, and nothing of it stays", async () => {
  const { proxy, database } = await behindProxy();
  await database.script("create table written (word text)");
  const written = database.transaction(async (tx) => {
    await tx.execute(sql`insert into written values ('half')`);
    proxy.silence();
    await tx.execute(sql`insert into written values ('whole')`);
  });
  await expectLost([() => written]);
  proxy.heal("old connections");
  await recovery(database);
  expect([
    ...((await database.query.execute(sql`select word from written`)) as unknown as unknown[]),
  ]).toEqual([]);
});

test("who listens is told that messages may be missing, and hears again afterwards", async () => {
  const { proxy, database } = await behindProxy();
  const heard: string[] = [];
  let drops = 0;
  await database.listen(
    "tidings",
    (payload) => heard.push(payload),
    () => {
      drops += 1;
    },
  );
  const before = drops;
  proxy.silence();
  await expect.poll(() => drops, { timeout: 4 * deadline }).toBeGreaterThan(before);
  proxy.heal();
  const other = openPostgres({ url });
  ends.push(other.close);
  await expect
    .poll(
      async () => {
        await other.notify(other.query, "tidings", "news");
        return heard.length;
      },
      { timeout: 6 * deadline },
    )
    .toBeGreaterThan(0);
});

test("who asks to listen while the database is silent is told so, and hears once it answers", async () => {
  const { proxy, database } = await behindProxy();
  const heard: string[] = [];
  proxy.silence();
  const listening = database.listen(
    "tidings",
    (payload) => heard.push(payload),
    () => {},
  );
  await expect(listening).rejects.toSatisfy(isConnectionLost);
  proxy.heal();
  const other = openPostgres({ url });
  ends.push(other.close);
  await expect
    .poll(async () => {
      await other.notify(other.query, "tidings", "news");
      return heard.length;
    })
    .toBeGreaterThan(0);
});

test("what waits for a silent database is bounded; the rest is refused at once", {
  timeout: 60_000,
}, async () => {
  const { proxy, database } = await behindProxy(2);
  await ask(database.keyPool);
  proxy.silence();
  const calls = [database.query, database.keyPool, database.tokenPool.query].flatMap((on) =>
    Array(3_000).fill(on),
  );
  const ended = await Promise.all(calls.map((on) => timed(() => ask(on))));
  expect(ended.every(({ outcome }) => isConnectionLost(outcome))).toBe(true);
  const refused = ended.filter(({ outcome }) => errorCodesOf(outcome).includes("POOL_BUSY"));
  // A thousand in the queue, 500 on each of five shared connections, and those being served.
  expect(calls.length - refused.length).toBeLessThan(1_000 + 5 * 500 + 100);
  proxy.heal();
  await recovery(database);
});

test("closing does not wait for a silent database", async () => {
  const { proxy, database } = await behindProxy();
  await Promise.all(ways(database).map((way) => way()));
  proxy.silence();
  const left = Promise.all(ways(database).map(timed));
  const { took } = await timed(database.close);
  expect(took).toBeLessThan(2_000 + slack);
  expect((await left).every(({ outcome }) => isConnectionLost(outcome))).toBe(true);
});
