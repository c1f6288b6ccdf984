import { eq, sql } from "drizzle-orm";
import { afterAll, expect, test } from "vitest";
import { openPostgres } from "#db/client";
import { webhookDeliveries } from "#db/schema/webhooks";
import { patientDeadline, testPostgresUrl } from "#server/testing/database";
import { holdLocks, waitingFor } from "#server/testing/held-locks";
import { hookReceiver } from "#server/testing/hook-receiver";
import { hitsAt, hookSettings, mintHooks, testDeliverer } from "#server/testing/hook-world";
import { testContext } from "#server/testing/test-context";

const url = await testPostgresUrl();
const database = openPostgres({ url, deadline: patientDeadline });
const beside = openPostgres({ url, deadline: patientDeadline });
afterAll(() => Promise.all([database.close(), beside.close()]));
const world = await testContext({ database, settings: hookSettings });
const deliverer = await testDeliverer(world.ctx);

/** From now on a read of stored messages stands still once it has begun: it finds what was there then. @returns lets it go on */
async function holdReads(): Promise<() => Promise<void>> {
  await beside.script(`
    alter table webhook_messages rename to webhook_messages_stored;
    create function stand_still() returns boolean volatile language plpgsql as $$
    begin
      if current_query() ilike 'select%' then
        perform pg_advisory_lock_shared(1);
        perform pg_advisory_unlock_shared(1);
      end if;
      return true;
    end $$;
    create view webhook_messages as select * from webhook_messages_stored where stand_still()`);
  return holdLocks(beside, sql`select pg_advisory_xact_lock(1)`);
}

test("a message whose attempt ends while stored messages are read is not sent a second time", async () => {
  const receiver = await hookReceiver();
  const hooks = await mintHooks(world, receiver);
  await hooks.member();
  await deliverer.run();
  receiver.behave((_request, response) => response.writeHead(500).end());
  await hooks.hits("a");
  await deliverer.run();
  let answer = () => {};
  receiver.behave((_request, response) => {
    answer = () => void response.end("ok");
  });
  world.clock.advance(10);
  const running = deliverer.run();
  await receiver.received(1);
  const letGo = await holdReads();
  afterAll(letGo);
  deliverer.wake();
  await expect
    .poll(() => waitingFor(beside, sql`locktype = 'advisory' and classid = 0 and objid = 1`))
    .toBeGreaterThan(0);
  const delivered = () =>
    beside.query.$count(webhookDeliveries, eq(webhookDeliveries.outcome, "delivered"));
  const before = await delivered();
  answer();
  await expect.poll(delivered).toBeGreaterThan(before);
  receiver.behave((_request, response) => response.end("ok"));
  await letGo();
  await running;
  expect(hitsAt(receiver)).toEqual([]);
});
