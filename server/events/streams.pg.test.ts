import { randomInt } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { sql } from "drizzle-orm";
import { afterAll, expect, test } from "vitest";
import { openPostgres } from "#db/client";
import { migrate } from "#db/migrate";
import { pauseConsent, revokeConsents } from "#server/oauth/consents/consent-acts";
import { patientDeadline } from "#server/testing/database";
import { eventsIn, readEvents, untilTold } from "#server/testing/event-reader";
import { eventWorld, serveFront } from "#server/testing/event-world";
import { freezePostgres } from "#server/testing/freeze-postgres";
import { livedTime } from "#server/testing/lived-time";
import { startPostgres } from "#server/testing/postgres";
import { testContext } from "#server/testing/test-context";

// A server of this file's own: it is frozen, and its connections are killed.
const postgres = await startPostgres({ durable: true });
const url = postgres.url("postgres");
const open = (deadline = patientDeadline) => {
  const database = openPostgres({ url, deadline });
  afterAll(() => database.close());
  return database;
};
const first = open();
await migrate(first);
afterAll(() => postgres.stop());
const rates = { holder: 1_000_000, peer: 1_000_000, client: 1_000_000 };
const settings = { rates, tokenCache: true };
const here = await testContext({ database: first, settings });
const there = await testContext({ database: open(), settings, beside: here });
const { ctx, clock } = here;
const [near, far] = [await serveFront(ctx), await serveFront(there.ctx)];
const { member, happen } = await eventWorld(ctx);
type Member = Awaited<ReturnType<typeof member>>;

/** A reader that loses its connection again and again and goes on where it was, at either instance. */
function restlessReader(token: string, patience: () => number) {
  const told: string[] = [];
  const faults: string[] = [];
  let position: string | undefined;
  let stopped = false;
  let opened = 0;
  const reading = (async () => {
    while (!stopped) {
      const at = opened++ % 2 === 0 ? near.url : far.url;
      const headers: Record<string, string> =
        position === undefined ? {} : { "last-event-id": position };
      const reader = await readEvents(at, token, { headers });
      if (reader.status !== 200) faults.push(`status ${reader.status}`);
      await wait(patience());
      reader.close();
      await reader.closed;
      if (reader.frames.some(({ event }) => event === "reset")) faults.push("reset");
      told.push(...reader.subjects());
      position = reader.lastId() ?? position;
    }
  })();
  return {
    told,
    faults,
    connections: () => opened,
    stop: async () => {
      stopped = true;
      await reading;
    },
  };
}

test("eight writers on two instances: readers that reconnect at random are told every event once, all in the same order", async () => {
  const members = await Promise.all(Array.from({ length: 4 }, () => member()));
  clock.advance(1);
  const steady = await readEvents(near.url, members[0]?.token ?? "");
  const restless = members
    .slice(1)
    .map(({ token }) => restlessReader(token, () => randomInt(20, 200)));
  // Each has said where it begins.
  await expect.poll(() => restless.every((reader) => reader.connections() > 1)).toBe(true);
  const perWriter = 60;
  const writers = Array.from({ length: 8 }, async (_, writer) => {
    const on = writer % 2 === 0 ? ctx : there.ctx;
    for (let n = 0; n < perWriter; n++) {
      await on.database.transaction(async (tx) => {
        await tx.execute(sql`select pg_sleep(${(writer * n) % 7} / 1000.0)`);
        await happen(`${writer}-${n}`, {
          ...on,
          database: { ...on.database, transaction: (work) => work(tx) },
        });
      });
    }
  });
  await Promise.all(writers);
  const expected = 8 * perWriter;
  await expect.poll(() => steady.subjects().length).toBe(expected);
  await expect.poll(() => restless.every(({ told }) => told.length >= expected)).toBe(true);
  await Promise.all(restless.map((reader) => reader.stop()));
  expect(new Set(steady.subjects()).size).toBe(expected);
  for (const { told, faults, connections } of restless) {
    expect(faults).toEqual([]);
    expect(told).toEqual(steady.subjects());
    expect(connections()).toBeGreaterThan(3);
  }
  steady.close();
});

test.each([
  [
    "revoked",
    ({ user, consentId }: Member) => revokeConsents(ctx, user, { consentIds: [consentId] }),
  ],
  ["paused", ({ user, consentId }: Member) => pauseConsent(ctx, user, { consentId })],
])(
  "an idle stream at another instance ends within a second of the commit when its consent is %s",
  async (reason, end) => {
    for (let round = 0; round < 5; round++) {
      const connected = await member();
      const reader = await readEvents(far.url, connected.token);
      const lived = livedTime();
      await end(connected);
      await reader.closed;
      expect(lived()).toBeLessThan(1_000);
      expect(reader.ended()).toBe(reason);
    }
  },
);

/** Closes all idle connections, LISTEN connections included; notifications are lost meanwhile. */
const dropConnections = () =>
  first.script(
    "select pg_terminate_backend(pid) from pg_stat_activity where state = 'idle' and backend_type = 'client backend'",
  );

test("nothing is told a second after consent ended, while events come without a pause, also where the message is lost", async () => {
  const [leaving, staying] = [await member(), await member()];
  clock.advance(1);
  const [reader, other] = [
    await readEvents(far.url, leaving.token),
    await readEvents(far.url, staying.token),
  ];
  let writing = true;
  const writer = (async () => {
    for (let n = 0; writing; n++) {
      // Its own connection may be one of those that are ended.
      await happen(`stream of events ${n}`).catch(() => {});
      // Time passes for what instances remember as well.
      clock.advance(0.005);
    }
  })();
  await untilTold(reader, "stream of events 5");
  await dropConnections();
  await revokeConsents(ctx, leaving.user, { consentIds: [leaving.consentId] });
  const lived = livedTime();
  await reader.closed;
  expect(lived()).toBeLessThan(1_000);
  writing = false;
  await writer;
  expect(other.ended()).toBeUndefined();
  other.close();
});

test("without the connection that hears hints, an event is told within two seconds", async () => {
  const { token } = await member();
  clock.advance(1);
  const reader = await readEvents(far.url, token);
  const took: number[] = [];
  for (let round = 0; round < 5; round++) {
    await dropConnections();
    const lived = livedTime();
    await happen(`unheard ${round}`);
    await untilTold(reader, `unheard ${round}`);
    took.push(lived());
  }
  // The minimum: a busy machine may be slow to reconnect.
  expect(Math.min(...took)).toBeLessThan(2_000);
  expect(reader.ended()).toBeUndefined();
  reader.close();
});

test("a PostgreSQL that stands still for six seconds holds streams up and ends none; nothing is missed", async () => {
  // The deadline of production, so that what waits for the database fails meanwhile.
  const hasty = await testContext({
    database: open(2_000),
    settings,
    beside: here,
    eventLimits: { heartbeat: 500 },
  });
  const { url: at } = await serveFront(hasty.ctx);
  const { token } = await member();
  clock.advance(1);
  const reader = await readEvents(at, token);
  await happen("before the frost");
  await untilTold(reader, "before the frost");
  const thaw = freezePostgres(postgres);
  clock.advance(1);
  const late = happen("in the frost");
  await wait(6_000);
  const told = reader.frames.length;
  thaw();
  await late;
  await untilTold(reader, "in the frost", 15_000);
  await happen("after the frost");
  await untilTold(reader, "after the frost", 15_000);
  expect(reader.subjects()).toEqual(["before the frost", "in the frost", "after the frost"]);
  expect(told).toBeLessThan(reader.frames.length);
  expect(eventsIn(reader.frames)).toHaveLength(3);
  expect(reader.ended()).toBeUndefined();
  reader.close();
});
