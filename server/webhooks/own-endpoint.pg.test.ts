import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { notices } from "#db/schema/accounts";
import { events } from "#db/schema/events";
import { auditLog } from "#db/schema/operations";
import { webhookEndpoints } from "#db/schema/webhooks";
import { deleteAccount } from "#server/account/account-acts";
import { chooseNotifications } from "#server/account/notification-choices";
import { ChoosableTopic } from "#server/notices/topics";
import { goodReceiver, hookReceiver } from "#server/testing/hook-receiver";
import { hookSettings, testDeliverer } from "#server/testing/hook-world";
import { twoInstances } from "#server/testing/two-instances";
import { mintUser } from "#server/testing/world";
import { EndpointInput } from "./contract";
import { addEndpoint } from "./endpoint-acts";
import { listEndpoints } from "./endpoint-views";
import { verifyEndpoint } from "./try-endpoint";

const { here, there } = await twoInstances(hookSettings);
const { ctx } = here;
const instance = (n: number) => (n % 2 === 0 ? ctx : there.ctx);
const deliverers = [await testDeliverer(here.ctx), await testDeliverer(there.ctx)];
const runBoth = () => Promise.all(deliverers.map((deliverer) => deliverer.run()));
const clientId = null;

async function ownWebhook() {
  const receiver = await hookReceiver();
  const user = await mintUser(ctx);
  const input = EndpointInput.parse({ url: receiver.url, types: [] });
  const { endpointId, secret } = await addEndpoint(ctx, user, { clientId, ...input });
  receiver.behave(goodReceiver(() => secret));
  await verifyEndpoint(ctx, user, { clientId, endpointId });
  await ctx.settled();
  await runBoth();
  receiver.behave(goodReceiver(() => secret));
  return { receiver, user, endpointId };
}

test("of many additions at one moment, on two instances, an account has one webhook", async () => {
  const user = await mintUser(ctx);
  const input = EndpointInput.parse({ url: "http://localhost:1/", types: [] });
  const outcomes = await Promise.allSettled(
    Array.from({ length: 10 }, (_, n) => addEndpoint(instance(n), user, { clientId, ...input })),
  );
  expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  for (const outcome of outcomes)
    if (outcome.status === "rejected")
      expect(String(outcome.reason)).toContain("Your account can have one webhook.");
  expect(await listEndpoints(ctx, user, { clientId })).toHaveLength(1);
});

test("PT-25: two instances send each notice once, one at a time, in the order of the log", async () => {
  const { receiver, user } = await ownWebhook();
  const { accountId, playerId } = user;
  await Promise.all(
    Array.from({ length: 40 }, (_, n) =>
      instance(n).database.transaction((tx) =>
        instance(n).notify(tx, { accountId, kind: "code-reused", text: `Number ${n}` }),
      ),
    ),
  );
  await Promise.all([here.ctx.settled(), there.ctx.settled()]);
  await runBoth();
  const sent = receiver.events().map(({ body }) => body.data.subject.id);
  const logged = await ctx.database.query
    .select({ id: events.subject })
    .from(events)
    .where(eq(events.playerId, playerId))
    .orderBy(events.seq);
  expect(sent).toEqual(logged.slice(-40).map(({ id }) => id));
  expect(new Set(sent).size).toBe(40);
});

test("choices that are saved at one moment are saved one after the other: the audit log has no gap", async () => {
  const { user } = await ownWebhook();
  const kinds = ChoosableTopic.options;
  await Promise.all(
    Array.from({ length: 12 }, (_, n) =>
      chooseNotifications(instance(n), user, {
        chat: kinds.slice(0, n % kinds.length),
        webhook: kinds.slice(n % kinds.length),
      }),
    ),
  );
  const audited = await ctx.database.query
    .select({ act: auditLog.act, details: auditLog.details })
    .from(auditLog)
    .where(eq(auditLog.accountId, user.accountId))
    .orderBy(auditLog.id);
  const changes = audited.flatMap(({ act, details }) =>
    act === "notifications.changed" ? [details.byChat as { from: string[]; to: string[] }] : [],
  );
  expect(changes.length).toBeGreaterThan(1);
  for (const [at, { from }] of changes.entries())
    expect(from).toEqual(at === 0 ? kinds : changes[at - 1]?.to);
});

test("an account that is deleted while its notices are written and sent leaves nothing behind", async () => {
  for (let round = 0; round < 5; round++) {
    const { receiver, user, endpointId } = await ownWebhook();
    const { accountId, playerId } = user;
    receiver.behave((_request, response) => response.writeHead(410).end());
    const notify = (n: number) =>
      instance(n)
        .database.transaction((tx) =>
          instance(n).notify(tx, { accountId, kind: "code-reused", text: "A word." }),
        )
        // The account may be gone.
        .catch(() => {});
    await Promise.all([notify(0), notify(1)]);
    await Promise.all([
      runBoth(),
      notify(2),
      notify(3),
      deleteAccount(ctx, user, { confirmName: `Player${playerId}` }),
    ]);
    await Promise.all([here.ctx.settled(), there.ctx.settled()]);
    await runBoth();
    const on = ctx.database.query;
    expect(await on.$count(webhookEndpoints, eq(webhookEndpoints.id, endpointId))).toBe(0);
    expect(await on.$count(notices, eq(notices.accountId, accountId))).toBe(0);
  }
});
