import { expect, test } from "vitest";
import type { Queryable } from "#db/client";
import { findLogEnd } from "#server/event-log/store";
import { testDatabase } from "#server/testing/database";
import { readEvents, untilTold } from "#server/testing/event-reader";
import { eventWorld, serveFront } from "#server/testing/event-world";
import { testContext } from "#server/testing/test-context";
import { createEventCatchUp } from "./catch-up";
import { visibleToGrant } from "./visible-events";

const rates = { holder: 100_000, peer: 100_000, client: 100_000 };
const database = await testDatabase();
const { ctx, clock } = await testContext({ database, settings: { rates, tokenCache: true } });
const { url } = await serveFront(ctx);
const [home, away] = [await eventWorld(ctx, 7001), await eventWorld(ctx, 7002)];

/** The same database, with a count of the reads of it. */
function counted(on: Queryable) {
  const reads = { count: 0 };
  const query = new Proxy(on, {
    get: (target, key) => {
      if (key === "select") reads.count += 1;
      return Reflect.get(target, key);
    },
  });
  return { counting: { ...ctx, database: { ...database, query } }, reads };
}

async function readerOf(world: typeof home) {
  const { token, user } = await world.member();
  const found = await ctx.authenticate(token);
  if (!found) throw new Error("no grant");
  return { token, reader: { ...found.actor, playerId: user.playerId } };
}

test("readers that are behind near each other share a read, and each gets what it would get alone, in pieces of its size", async () => {
  const members: Awaited<ReturnType<typeof readerOf>>[] = [];
  for (let n = 0; n < 24; n++) members.push(await readerOf(n % 3 === 0 ? away : home));
  const begin = (await findLogEnd(database.query)).seq;
  clock.advance(1);
  for (let n = 0; n < 40; n++) await (n % 4 === 0 ? away : home).happen(`event ${n}`);
  await ctx.settled();
  const { seq: until } = await findLogEnd(database.query);
  const { counting, reads } = counted(database.query);
  const catchUp = createEventCatchUp();
  const readAll = async ({ reader }: Awaited<ReturnType<typeof readerOf>>, at: number) => {
    const got: number[] = [];
    for (let after = begin + (at % 7); after < until; ) {
      const page = await catchUp.read(counting, reader, { after, until, limit: 8 });
      expect(page.visible.length).toBeLessThanOrEqual(8);
      expect(page.reached).toBeGreaterThan(after);
      got.push(...page.visible.map(({ event }) => event.seq));
      after = page.reached;
    }
    return got;
  };
  const told = await Promise.all(members.map(readAll));
  // Alone, each of them would take two statements for each of its pages.
  expect(reads.count).toBeLessThan(40);
  for (const [at, { reader }] of members.entries()) {
    const stretch = { after: begin + (at % 7), until };
    const alone = await visibleToGrant(database.query, stretch, {
      reader,
      limit: 100,
      now: ctx.now(),
    });
    expect(told[at]).toEqual(alone.visible.map(({ event }) => event.seq));
    expect(told[at]?.length).toBeGreaterThan(5);
  }
});

test("streams that come back together, behind by hundreds of events, are told all of them once, in order, and then what happens", async () => {
  const members: Awaited<ReturnType<typeof readerOf>>[] = [];
  for (let n = 0; n < 12; n++) members.push(await readerOf(n % 3 === 0 ? away : home));
  const cursors: string[] = [];
  for (const { token } of members) {
    const answer = await fetch(`${url}/api/v1/events`, {
      headers: { authorization: `Bearer ${token}` },
    });
    cursors.push(((await answer.json()) as { cursor: string }).cursor);
  }
  clock.advance(1);
  const expected = { home: [] as string[], away: [] as string[] };
  const happen = async (n: number) => {
    const which = n % 3 === 0 ? "away" : "home";
    expected[which].push(`late ${n}`);
    await { home, away }[which].happen(`late ${n}`);
  };
  for (let n = 0; n < 450; n++) await happen(n);
  await ctx.settled();
  const opening = members.map(({ token }, at) =>
    readEvents(url, token, { headers: { "last-event-id": cursors[at] ?? "" } }),
  );
  for (let n = 450; n < 460; n++) await happen(n);
  const readers = await Promise.all(opening);
  for (const [at, reader] of readers.entries()) {
    const own = expected[at % 3 === 0 ? "away" : "home"];
    await untilTold(reader, own.at(-1) ?? "", 30_000);
    expect(reader.subjects()).toEqual(own);
    reader.close();
  }
});
