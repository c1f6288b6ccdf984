import { expect, test } from "vitest";
import { testDatabase } from "#server/testing/database";
import { readEvents, untilTold } from "#server/testing/event-reader";
import { eventWorld, serveFront, streamRates } from "#server/testing/event-world";
import { testContext } from "#server/testing/test-context";

const database = await testDatabase();
const settings = { rates: streamRates, tokenCache: true };
const { ctx, clock } = await testContext({ database, settings });
const { url } = await serveFront(ctx);
const [home, away] = [await eventWorld(ctx, 7001), await eventWorld(ctx, 7002)];

test("streams that come back together, behind by hundreds of events, are told all of them once, in order, and then what happens", async () => {
  const members: { token: string }[] = [];
  for (let n = 0; n < 12; n++) members.push(await (n % 3 === 0 ? away : home).member());
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
