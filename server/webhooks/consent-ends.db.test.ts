import { eq } from "drizzle-orm";
import { expect, onTestFinished, test } from "vitest";
import { players } from "#db/schema/players";
import { webhookDeliveries } from "#db/schema/webhooks";
import { banAccount, unbanAccount } from "#server/admin/accounts";
import { resumeApplication, suspendApplication } from "#server/admin/applications";
import { deleteApplication } from "#server/oauth/clients/application-acts";
import { narrowConsent, pauseConsent, revokeConsents } from "#server/oauth/consents/consent-acts";
import { testDatabase } from "#server/testing/database";
import { goodReceiver } from "#server/testing/hook-receiver";
import {
  hitsAt,
  hookDeliveries,
  hookSettings,
  mintHooks,
  testDeliverer,
} from "#server/testing/hook-world";
import { testContext } from "#server/testing/test-context";
import { mintUser } from "#server/testing/world";
import { pauseEndpoint, resumeEndpoint } from "./endpoint-acts";

const database = await testDatabase();
const world = await testContext({ database, settings: hookSettings });
const { ctx, clock } = world;
const { receiver, deliverer, types, failing, deliveries } = await hookDeliveries(world);

test("while 1,000 events wait, the end of the consent leaves exactly one grant.ended to be sent", async () => {
  const hooks = await mintHooks(world, receiver);
  const { user, consentId } = await hooks.member();
  await deliverer.run();
  await pauseEndpoint(ctx, hooks.owner, hooks.key);
  await hooks.hits(...Array.from({ length: 1_000 }, (_, n) => `hit ${n}`));
  await revokeConsents(ctx, user, { consentIds: [consentId] });
  await ctx.settled();
  receiver.behave(goodReceiver(() => hooks.secret));
  await resumeEndpoint(ctx, hooks.owner, { ...hooks.key, from: "stopped" });
  await deliverer.run();
  expect(types()).toEqual(["grant.ended"]);
  expect(receiver.events()[0]?.body.data).toMatchObject({
    sub: String(user.playerId),
    reason: "player",
  });
  expect(await hooks.view()).toMatchObject({ waiting: 0, health: "working" });
});

test.each([
  [
    "revoking",
    "grant.ended",
    async (user, consentId) => revokeConsents(ctx, user, { consentIds: [consentId] }),
  ],
  ["pausing", "grant.paused", async (user, consentId) => pauseConsent(ctx, user, { consentId })],
  [
    "narrowing",
    "grant.narrowed",
    async (user, consentId) =>
      narrowConsent(ctx, user, { consentId, shown: ["identity", "faction"], keep: ["identity"] }),
  ],
  [
    "leaving the faction",
    undefined,
    async (user) => {
      clock.advance(1);
      await database.query
        .update(players)
        .set({ factionId: 1, factionSince: clock.now() })
        .where(eq(players.id, user.playerId));
    },
  ],
] satisfies [
  string,
  string | undefined,
  (
    user: Awaited<ReturnType<Awaited<ReturnType<typeof mintHooks>>["member"]>>["user"],
    consentId: string,
  ) => Promise<unknown>,
][])(
  "%s withdraws what failed and waits to be sent again; it is never shown as failed by that",
  async (_what, told, act) => {
    const hooks = await mintHooks(world, receiver);
    const { user, consentId } = await hooks.member();
    await deliverer.run();
    failing(500);
    await hooks.hits("a", "b");
    await deliverer.run();
    await act(user, consentId);
    await ctx.settled();
    receiver.behave(goodReceiver(() => hooks.secret));
    clock.advance(10);
    await deliverer.run();
    expect(types()).toEqual(told ? [told] : []);
    const { rows } = await deliveries(hooks);
    const last = new Map(
      [...rows].reverse().map(({ messageId, outcome, type }) => [messageId, { outcome, type }]),
    );
    const hits = [...last.values()].filter(({ type }) => type === "retaliation.opened");
    expect(hits.map(({ outcome }) => outcome)).toEqual(["withdrawn", "withdrawn"]);
    expect(
      await database.query
        .select()
        .from(webhookDeliveries)
        .where(eq(webhookDeliveries.endpointId, hooks.key.endpointId)),
    ).toEqual([]);
  },
);

test("a ban of the player is told as a pause by the operator, and its end as a resumption; what the player had paused is not told again", async () => {
  const hooks = await mintHooks(world, receiver);
  const [banned, paused] = [await hooks.member(), await hooks.member()];
  const admin = { ...(await mintUser(ctx)), admin: true };
  const say = () =>
    receiver.events().map(({ body: { type, data } }) => [type, data.sub, data.reason]);
  await deliverer.run();
  await pauseConsent(ctx, paused.user, { consentId: paused.consentId });
  for (const { user } of [banned, paused]) {
    await banAccount(ctx, admin, { accountId: user.accountId, reason: "Sold data." });
    await ctx.settled();
  }
  await hooks.hits("meanwhile");
  await deliverer.run();
  for (const { user } of [banned, paused])
    await unbanAccount(ctx, admin, { accountId: user.accountId });
  await hooks.hits("afterwards");
  await deliverer.run();
  const [ours, theirs] = [banned, paused].map(({ user }) => String(user.playerId));
  expect(say().filter(([type]) => type !== "grant.approved")).toEqual([
    ["grant.paused", theirs, "player"],
    ["grant.paused", ours, "operator"],
    ["grant.resumed", ours, undefined],
    ["retaliation.opened", ours, undefined],
  ]);
});

test("an attempt that is under way when the consent ends is stopped, and nothing more of it is written", async () => {
  const live = await testDeliverer(ctx);
  onTestFinished(() => live.stop(0));
  await live.start();
  const hooks = await mintHooks(world, receiver);
  const { user, consentId } = await hooks.member();
  await live.run();
  const { promise: ended, resolve: cut } = Promise.withResolvers<void>();
  receiver.behave(({ body }, response) => {
    if (body.type === "grant.ended") return response.end("ok");
    response.once("close", () => cut());
  });
  await hooks.hits("a");
  live.wake();
  await receiver.received(1);
  await revokeConsents(ctx, user, { consentIds: [consentId] });
  await ended;
  await ctx.settled();
  // A poll skips an endpoint during its lease extension; the next one, a second later, sends the
  // rest.
  await expect.poll(() => types()).toEqual(["retaliation.opened", "grant.ended"]);
  await live.run();
  const { rows } = await deliveries(hooks);
  expect(rows.map(({ type, outcome }) => [type, outcome])).toContainEqual([
    "retaliation.opened",
    "withdrawn",
  ]);
  expect(await hooks.view()).toMatchObject({ failures: 0 });
});

test("paused, suspended and deleted: nothing is sent; a resumed one goes on from where it stopped, or from now", async () => {
  const hooks = await mintHooks(world, receiver);
  await hooks.member();
  await deliverer.run();
  receiver.behave(goodReceiver(() => hooks.secret));
  await pauseEndpoint(ctx, hooks.owner, hooks.key);
  await hooks.hits("while paused");
  await deliverer.run();
  expect(hitsAt(receiver)).toEqual([]);
  await resumeEndpoint(ctx, hooks.owner, { ...hooks.key, from: "stopped" });
  await deliverer.run();
  expect(hitsAt(receiver)).toEqual(["while paused"]);
  await pauseEndpoint(ctx, hooks.owner, hooks.key);
  await hooks.hits("skipped");
  await resumeEndpoint(ctx, hooks.owner, { ...hooks.key, from: "now" });
  await hooks.hits("next");
  await deliverer.run();
  expect(hitsAt(receiver)).toEqual(["while paused", "next"]);
  const admin = { ...hooks.owner, admin: true };
  await suspendApplication(ctx, admin, { clientId: hooks.key.clientId, reason: "test" });
  await hooks.hits("suspended");
  await deliverer.run();
  await resumeApplication(ctx, admin, { clientId: hooks.key.clientId });
  await hooks.hits("after");
  await deliverer.run();
  expect(hitsAt(receiver).slice(2)).toContain("after");
  await hooks.hits("never");
  await deleteApplication(ctx, hooks.owner, {
    clientId: hooks.key.clientId,
    confirmName: "Test application",
  });
  const before = receiver.events().length;
  await deliverer.run();
  expect(receiver.events()).toHaveLength(before);
});

test("who leaves the faction while an earlier event is under way is not told the next one, although it was read before", async () => {
  const hooks = await mintHooks(world, receiver);
  const { user } = await hooks.member();
  await deliverer.run();
  const slowMs = 700;
  receiver.behave((_request, response) => {
    clock.advance(1);
    void database.query
      .update(players)
      .set({ factionId: 1, factionSince: clock.now() })
      .where(eq(players.id, user.playerId))
      .then(() => setTimeout(() => response.end("ok"), slowMs));
  });
  await hooks.hits("a", "b");
  await deliverer.run();
  expect(hitsAt(receiver)).toEqual(["a"]);
});
