import { eq, sql } from "drizzle-orm";
import { afterAll, expect, test } from "vitest";
import { openPostgres } from "#db/client";
import { events } from "#db/schema/events";
import { webhookDeliveries } from "#db/schema/webhooks";
import { patientDeadline, testPostgresUrl } from "#server/testing/database";
import { hookReceiver } from "#server/testing/hook-receiver";
import { hookSettings, mintHooks } from "#server/testing/hook-world";
import { testContext } from "#server/testing/test-context";
import { upsertDeliveries } from "./delivery-store";
import { pauseEndpoint, resumeEndpoint } from "./endpoint-acts";
import { lockEndpoints } from "./endpoint-store";
import { fanOut, mostWaiting } from "./fan-out";

const database = openPostgres({ url: await testPostgresUrl(), deadline: patientDeadline });
afterAll(() => database.close());
const world = await testContext({ database, settings: hookSettings });
const { ctx } = world;
const receiver = await hookReceiver();

/** How many statements of this database wait for a lock. */
const waitingForLocks = () =>
  database.keyPool.$count(
    sql`pg_stat_activity`,
    sql`datname = current_database() and wait_event_type = 'Lock'`,
  );

test("an endpoint that is resumed with a gap while a page of the log is read is sent that page's events", async () => {
  const paused = await mintHooks(world, receiver);
  const other = await mintHooks(world, receiver);
  for (const hooks of [paused, other]) await hooks.member();
  await paused.hits("before");
  await fanOut(ctx);
  await pauseEndpoint(ctx, paused.owner, paused.key);
  const { id, seq } = await paused.row();
  await database.transaction((tx) =>
    upsertDeliveries(
      tx,
      Array.from({ length: mostWaiting + 1 }, (_, n) => ({
        ...{ endpointId: id, messageId: `evt_${n}`, seq: seq + 1, playerId: null },
        type: "retaliation.opened",
      })),
    ),
  );
  await paused.hits("meanwhile");
  await other.hits("beside it");
  let reading: Promise<number> = Promise.resolve(0);
  let resuming: Promise<void> = Promise.resolve();
  await database.transaction(async (tx) => {
    await lockEndpoints(tx, [other.key.endpointId]);
    reading = fanOut(ctx);
    await expect.poll(waitingForLocks).toBe(1);
    let isResumed = false;
    resuming = resumeEndpoint(ctx, paused.owner, { ...paused.key, from: "stopped" });
    void resuming.then(() => {
      isResumed = true;
    });
    const hasRead = async () => isResumed || (await waitingForLocks()) > 1;
    await expect.poll(hasRead).toBe(true);
  });
  await Promise.all([reading, resuming]);
  expect((await paused.row()).state).toBe("enabled");
  const waits = await database.query
    .select({ seq: webhookDeliveries.seq, gapAfter: webhookDeliveries.gapAfter })
    .from(webhookDeliveries)
    .where(eq(webhookDeliveries.endpointId, id))
    .orderBy(webhookDeliveries.seq);
  const [gap] = waits;
  const [meanwhile] = await database.query
    .select({ seq: events.seq })
    .from(events)
    .where(eq(events.subject, "meanwhile"));
  const missed = Number(meanwhile?.seq);
  expect(gap?.gapAfter).toBe(seq);
  if (missed > Number(gap?.seq)) expect(waits.map((each) => each.seq)).toContain(missed);
});
