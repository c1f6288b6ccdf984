import { asc, sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { events } from "#db/schema/events";
import { testDatabase } from "#server/testing/database";
import { testContext } from "#server/testing/test-context";
import { dropOldEventsJob } from "./retention";
import { insertEvents } from "./store";

const database = await testDatabase();
const { ctx, clock } = await testContext({ database });
const on = database.query;
const run = () => dropOldEventsJob.run(ctx, { budget: 0, signal: new AbortController().signal });

/** Events of now under the numbers that follow this one. */
async function record(after: number, count: number) {
  await on.execute(sql`update event_log set seq = ${after} where not is_over`);
  const event = { type: "stocks.tick", scope: null, at: clock.now(), subject: "stocks", data: {} };
  await insertEvents(
    on,
    Array.from({ length: count }, () => ({ ...event, id: ctx.ids.uuid() })),
  );
  await ctx.events.sequencer.run();
}
const kept = async () =>
  (await on.select({ seq: events.seq }).from(events).orderBy(asc(events.seq))).map(
    ({ seq }) => seq,
  );

test("a partition goes once its youngest event is seven days old, and never the one that is being filled", async () => {
  await record(499_997, 4);
  clock.advance(7 * 86_400 - 1);
  expect(await run()).toMatchObject({ partitions: 0 });
  expect(await kept()).toHaveLength(4);
  clock.advance(2);
  expect(await run()).toMatchObject({ partitions: 1 });
  expect(await kept()).toEqual([500_000, 500_001]);
  clock.advance(30 * 86_400);
  expect(await run()).toMatchObject({ partitions: 0 });
  expect(await kept()).toEqual([500_000, 500_001]);
});
