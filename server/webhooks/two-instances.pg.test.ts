import { expect, test } from "vitest";
import { revokeConsent } from "#server/oauth/consents/consent-acts";
import { goodReceiver, hookReceiver } from "#server/testing/hook-receiver";
import { answerSlowly, hitsAt, hookSettings, mintHooks, testDeliverer } from "#server/testing/hook-world";
import { livedTime } from "#server/testing/lived-time";
import { testOrigin } from "#server/testing/oauth-world";
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
  let closed = () => {};
  const cut = new Promise<void>((resolve) => {
    closed = resolve;
  });
  receiver.behave(({ body }, response) => {
    if (body.type === "retaliation.opened") response.once("close", () => closed());
    else response.end("ok");
  });
  await hooks.hits("a", "b", "c");
  deliverers[1]?.wake();
  await receiver.received(1);
  await revokeConsent(here.ctx, user, consentId, testOrigin);
  const lived = livedTime();
  await cut;
  expect(lived()).toBeLessThan(1_000);
  await here.ctx.settled();
  await deliverers[1]?.run();
  expect(hitsAt(receiver)).toEqual(["a"]);
  expect(receiver.events().map(({ body }) => body.type)).toEqual(["retaliation.opened", "grant.ended"]);
});
