import { sql } from "drizzle-orm";
import { afterAll, expect, test } from "vitest";
import { suspendApplication } from "#server/admin/applications";
import { revocationChannel } from "#server/oauth/tokens/authenticate";
import { eventWorld, serveFront, streamRates } from "#server/testing/event-world";
import { holdLocks, waitingFor } from "#server/testing/held-locks";
import { livedTime } from "#server/testing/lived-time";
import { twoInstances } from "#server/testing/two-instances";
import { mintUser } from "#server/testing/world";

const { here, there } = await twoInstances({ rates: streamRates });
const { url } = await serveFront(here.ctx);
const { app, member } = await eventWorld(here.ctx);
const admin = { ...(await mintUser(here.ctx)), admin: true };

test("a call is refused at once, and does not wait, where its application is suspended between its look at the log and its waiting", async () => {
  const { token } = await member();
  const headers = { authorization: `Bearer ${token}` };
  const { cursor } = (await (await fetch(`${url}/api/v1/events`, { headers })).json()) as {
    cursor: string;
  };
  const letGo = await holdLocks(
    there.ctx.database,
    sql`lock table event_log in access exclusive mode`,
  );
  afterAll(letGo);
  const waits = fetch(`${url}/api/v1/events?after=${cursor}&wait=25`, { headers });
  await expect
    .poll(() => waitingFor(there.ctx.database, sql`relation = 'event_log'::regclass`))
    .toBeGreaterThan(0);
  // A later listener is notified after the instance, which then knows the suspension.
  const told = new Promise<void>((resolve) => {
    void here.ctx.database.listen(revocationChannel, () => resolve(), resolve);
  });
  await suspendApplication(there.ctx, admin, { clientId: app.clientId, reason: "Sold data." });
  await told;
  expect(here.ctx.events.feed.size()).toBe(0);
  const lived = livedTime();
  await letGo();
  expect((await waits).status).toBe(403);
  expect(lived()).toBeLessThan(5_000);
});
