import { setTimeout as wait } from "node:timers/promises";
import { asc, eq } from "drizzle-orm";
import { afterAll, expect, test } from "vitest";
import { openPostgres } from "#db/client";
import { migrate } from "#db/migrate";
import { events } from "#db/schema/events";
import { recordEvents } from "#server/event-log/record-events";
import { retaliationOpened } from "#server/faction/events";
import { readEvents } from "#server/testing/event-reader";
import { serveFront, streamRates } from "#server/testing/event-world";
import { hookReceiver } from "#server/testing/hook-receiver";
import { hitsAt, hookSettings, mintHooks, testDeliverer } from "#server/testing/hook-world";
import { startPostgres } from "#server/testing/postgres";
import { testContext } from "#server/testing/test-context";

// It waits for the disk: what it had confirmed must be there after a crash.
const postgres = await startPostgres({ durable: true });
const open = () => {
  const database = openPostgres({ url: postgres.url("postgres") });
  afterAll(() => database.close());
  return database;
};
const first = open();
await migrate(first);
afterAll(() => postgres.stop());
const settings = { ...hookSettings, rates: streamRates, tokenCache: true };
const here = await testContext({ database: first, settings });
const there = await testContext({ database: open(), settings, beside: here });
const fronts = [await serveFront(here.ctx), await serveFront(there.ctx)];
// Leases of workers that lost the database end by it.
const ticking = setInterval(() => here.clock.advance(0.1), 100);
afterAll(() => clearInterval(ticking));
const deliverers = [await testDeliverer(here.ctx), await testDeliverer(there.ctx)];

test("PostgreSQL crashes twice while things happen: streams at two instances stay open and miss nothing, webhooks bring everything", {
  timeout: 240_000,
}, async () => {
  const receiver = await hookReceiver();
  const hooks = await mintHooks(here, receiver);
  const { token } = await hooks.member();
  here.clock.advance(1);
  for (const deliverer of deliverers) await deliverer.start();
  const readers = await Promise.all(fronts.map(({ url }) => readEvents(url, token)));
  const confirmed: string[] = [];
  let writing = true;
  const writers = [here, there].map(async ({ ctx }, writer) => {
    for (let n = 0; writing; n++) {
      const event = {
        type: retaliationOpened,
        subject: `${writer} ${n}`,
        factionId: hooks.factionId,
      };
      await ctx.database
        .transaction((tx) => recordEvents(ctx, tx, [event]))
        .then(
          () => confirmed.push(event.subject),
          // It is away, and whether this was written is not known.
          () => wait(20),
        );
      await wait(20);
    }
  });
  const until = (count: number) =>
    expect.poll(() => confirmed.length, { timeout: 60_000 }).toBeGreaterThan(count);
  for (let round = 0; round < 2; round++) {
    await until(confirmed.length + 30);
    await postgres.crash();
    await wait(1_500);
    await postgres.restart();
    await until(confirmed.length + 30);
  }
  writing = false;
  await Promise.all(writers);
  // The next that happens brings what a crash left in the inbox.
  await hooks.hits("last");
  const told = async () => {
    const rows = await first.query
      .select({ subject: events.subject })
      .from(events)
      .where(eq(events.type, retaliationOpened.type))
      .orderBy(asc(events.seq));
    return rows.map(({ subject }) => subject);
  };
  await expect.poll(told).toContain("last");
  const log = await told();
  expect(new Set(log)).toEqual(new Set([...log, ...confirmed]));
  for (const reader of readers) {
    await expect
      .poll(() => reader.subjects().length, { timeout: 60_000 })
      .toBeGreaterThanOrEqual(log.length);
    expect(reader.subjects()).toEqual(log);
    expect(reader.frames.filter(({ event }) => event === "reset" || event === "end")).toEqual([]);
    reader.close();
  }
  await expect.poll(() => new Set(hitsAt(receiver)), { timeout: 60_000 }).toEqual(new Set(log));
});
