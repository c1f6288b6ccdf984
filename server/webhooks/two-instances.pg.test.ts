import { setTimeout as wait } from "node:timers/promises";
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { players } from "#db/schema/players";
import { webhookDeliveries } from "#db/schema/webhooks";
import { narrowConsent, revokeConsents } from "#server/oauth/consents/consent-acts";
import { goodReceiver, hookReceiver } from "#server/testing/hook-receiver";
import {
  answerSlowly,
  hitsAt,
  hookSettings,
  mintHooks,
  testDeliverer,
} from "#server/testing/hook-world";
import { livedTime } from "#server/testing/lived-time";
import { testContext } from "#server/testing/test-context";
import { twoInstances } from "#server/testing/two-instances";

const { here, there } = await twoInstances(hookSettings);
const deliverers = [await testDeliverer(here.ctx), await testDeliverer(there.ctx)];
const runBoth = () => Promise.all(deliverers.map((deliverer) => deliverer.run()));

test("of two instances one serves an endpoint: no event twice, and never more than two requests at once", async () => {
  const receiver = await hookReceiver();
  const hooks = await mintHooks(here, receiver);
  for (let n = 0; n < 4; n++) await hooks.member();
  const { most } = answerSlowly(receiver, hooks.secret, 5);
  for (let round = 0; round < 4; round++) {
    await hooks.hits(...Array.from({ length: 20 }, (_, n) => `hit ${round} ${n}`));
    await runBoth();
  }
  expect(most()).toBe(2);
  expect(hitsAt(receiver)).toHaveLength(4 * 80);
  expect(new Set(receiver.events().map(({ id }) => id)).size).toBe(receiver.events().length);
});

type Member = Awaited<ReturnType<Awaited<ReturnType<typeof mintHooks>>["member"]>>;
test.each<[string, string[], (of: Member) => Promise<unknown>]>([
  [
    "narrows the consent",
    ["grant.narrowed"],
    ({ user, consentId }) =>
      narrowConsent(there.ctx, user, {
        consentId,
        shown: ["identity", "faction"],
        keep: ["identity"],
      }),
  ],
  [
    "leaves the faction",
    [],
    ({ user }) =>
      there.ctx.database.query
        .update(players)
        .set({ factionId: 1, factionSince: here.clock.now() })
        .where(eq(players.id, user.playerId)),
  ],
])(
  "while 3,000 events are being sent a player %s: a second later nothing more of them is, and nothing waits",
  async (_how, told, end) => {
    const receiver = await hookReceiver();
    const hooks = await mintHooks(here, receiver);
    const of = await hooks.member();
    await runBoth();
    const subjects = Array.from({ length: 3_000 }, (_, n) => `hit ${n}`);
    answerSlowly(receiver, hooks.secret, 5);
    await hooks.hits(...subjects);
    const sending = runBoth();
    await receiver.received(20);
    await end(of);
    await wait(1_000);
    const sent = hitsAt(receiver);
    await here.ctx.settled();
    await there.ctx.settled();
    await sending;
    await runBoth();
    expect(hitsAt(receiver)).toEqual(sent);
    expect(sent).toEqual(subjects.slice(0, sent.length));
    expect(sent.length).toBeLessThan(subjects.length);
    const others = receiver.events().filter(({ body }) => body.type !== "retaliation.opened");
    expect(others.map(({ body }) => body.type)).toEqual(told);
    expect(await hooks.view()).toMatchObject({ waiting: 0, health: "working" });
    const { endpointId } = hooks.key;
    const stored = here.ctx.database.query.$count(
      webhookDeliveries,
      eq(webhookDeliveries.endpointId, endpointId),
    );
    expect(await stored).toBe(0);
  },
);

test.each([3_600, -3_600])(
  "an instance whose clock is %i seconds off holds nothing up: all comes under the same ids, and once each when the clocks agree again",
  async (off) => {
    const receiver = await hookReceiver();
    const hooks = await mintHooks(here, receiver);
    for (let n = 0; n < 2; n++) await hooks.member();
    await runBoth();
    const other = await testContext({ database: there.ctx.database, settings: hookSettings });
    other.clock.set(new Date(here.clock.now().getTime() + off * 1_000));
    const apart = [await testDeliverer(here.ctx), await testDeliverer(other.ctx)];
    for (const deliverer of apart) await deliverer.start();
    answerSlowly(receiver, hooks.secret, 5);
    const subjects = Array.from({ length: 50 }, (_, n) => `hit ${n}`);
    await hooks.hits(...subjects);
    const bodies = () => new Set(receiver.events().map(({ id, text }) => `${id} ${text}`));
    await expect.poll(() => bodies().size, { timeout: 30_000 }).toBe(2 * subjects.length);
    expect(new Set(receiver.events().map(({ id }) => id)).size).toBe(2 * subjects.length);
    expect(new Set(hitsAt(receiver))).toEqual(new Set(subjects));
    const isDone = async () => (await hooks.view()).waiting === 0;
    await expect.poll(isDone, { timeout: 30_000 }).toBe(true);
    other.clock.set(here.clock.now());
    answerSlowly(receiver, hooks.secret, 5);
    await hooks.hits("agreed");
    await expect.poll(() => hitsAt(receiver).length).toBe(2);
    await expect.poll(isDone).toBe(true);
    for (const deliverer of apart) await deliverer.stop(1_000);
    expect(hitsAt(receiver)).toEqual(["agreed", "agreed"]);
  },
);

test("a receiver that comes and goes gets everything once, under the same ids, and while it is away it is hardly asked", async () => {
  const receiver = await hookReceiver();
  const hooks = await mintHooks(here, receiver);
  for (let n = 0; n < 2; n++) await hooks.member();
  await runBoth();
  let [isUp, refused] = [true, 0];
  const taken: string[] = [];
  const good = goodReceiver(() => hooks.secret);
  receiver.behave((request, response) => {
    if (isUp) {
      taken.push(`${request.id} ${request.text}`);
      return good(request, response);
    }
    refused += 1;
    response.destroy();
  });
  const rounds = 4;
  for (let round = 0; round < rounds; round++) {
    [isUp, refused] = [false, 0];
    await hooks.hits(...Array.from({ length: 20 }, (_, n) => `hit ${round} ${n}`));
    await runBoth();
    here.clock.advance(60);
    await runBoth();
    // Five in a row, one in flight beside the fifth, and the oldest once more.
    expect(refused).toBeLessThanOrEqual(7);
    isUp = true;
    here.clock.advance(6 * 3_600);
    await runBoth();
    expect(await hooks.view()).toMatchObject({ waiting: 0, health: "working" });
  }
  expect(taken).toHaveLength(2 * 20 * rounds);
  expect(new Set(taken).size).toBe(taken.length);
  expect(new Set(receiver.events().map(({ id, text }) => `${id} ${text}`)).size).toBe(taken.length);
});

test("an endpoint that hangs delays no other application, and five of them do not either", async () => {
  const hanging = await Promise.all(
    Array.from({ length: 5 }, async () => {
      const receiver = await hookReceiver();
      const hooks = await mintHooks(here, receiver);
      await hooks.member();
      await deliverers[0]?.run();
      receiver.behave(() => {});
      return { hooks, receiver };
    }),
  );
  const receiver = await hookReceiver();
  const hooks = await mintHooks(here, receiver);
  await hooks.member();
  await deliverers[0]?.run();
  receiver.behave(goodReceiver(() => hooks.secret));
  for (const { hooks: other } of hanging) await other.hits("stuck", "stuck too");
  deliverers[0]?.wake();
  await Promise.all(hanging.map((each) => each.receiver.received(1)));
  const lived = livedTime();
  await hooks.hits(...Array.from({ length: 20 }, (_, n) => `hit ${n}`));
  deliverers[0]?.wake();
  await receiver.received(20);
  expect(lived()).toBeLessThan(5_000);
});

test("a revocation at one instance stops what the other has under way, and nothing is written a second later", async () => {
  const receiver = await hookReceiver();
  const hooks = await mintHooks(here, receiver);
  const { user, consentId } = await hooks.member();
  await deliverers[1]?.start();
  await deliverers[1]?.run();
  const { promise: cut, resolve: closed } = Promise.withResolvers<void>();
  receiver.behave(({ body }, response) => {
    if (body.type === "retaliation.opened") response.once("close", () => closed());
    else response.end("ok");
  });
  await hooks.hits("a", "b", "c");
  deliverers[1]?.wake();
  await receiver.received(1);
  await revokeConsents(here.ctx, user, { consentIds: [consentId] });
  const lived = livedTime();
  await cut;
  expect(lived()).toBeLessThan(1_000);
  await here.ctx.settled();
  await deliverers[1]?.run();
  expect(hitsAt(receiver)).toEqual(["a"]);
  expect(receiver.events().map(({ body }) => body.type)).toEqual([
    "retaliation.opened",
    "grant.ended",
  ]);
});
