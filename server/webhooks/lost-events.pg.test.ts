import { expect, test } from "vitest";
import { retaliations } from "#db/schema/faction";
import { recordEvents } from "#server/event-log/record-events";
import { retaliationOpened } from "#server/faction/events";
import { revokeConsents } from "#server/oauth/consents/consent-acts";
import { hookReceiver } from "#server/testing/hook-receiver";
import {
  answerSlowly,
  hitsAt,
  hookSettings,
  mintHooks,
  testDeliverer,
} from "#server/testing/hook-world";
import { twoInstances } from "#server/testing/two-instances";

const { here, there } = await twoInstances(hookSettings);
const { ctx, clock } = here;
const deliverers = [await testDeliverer(ctx), await testDeliverer(there.ctx)];

test("while players revoke, every hit on the faction still comes to the player who stays", async () => {
  const receiver = await hookReceiver();
  const hooks = await mintHooks(here, receiver);
  const stays = await hooks.member();
  const leaving: (typeof stays)[] = [];
  for (let n = 0; n < 16; n++) leaving.push(await hooks.member());
  for (const deliverer of deliverers) {
    await deliverer.start();
    await deliverer.run();
  }
  answerSlowly(receiver, hooks.secret, 2);
  const write = async () => {
    for (let n = 0; n < 24; n++) {
      clock.advance(0.01);
      const codes = Array.from({ length: 5 }, (_, m) => `hit ${n} ${m}`);
      await ctx.database.transaction(async (tx) => {
        await tx.insert(retaliations).values(
          codes.map((code) => ({
            ...{ code, factionId: hooks.factionId, attackEnded: clock.now(), defenderId: 1 },
            ...{ defenderName: "Defender", attackerId: 2, attackerName: "Attacker" },
          })),
        );
        await recordEvents(
          ctx,
          tx,
          codes.map((subject) => ({
            ...{ type: retaliationOpened, subject, factionId: hooks.factionId },
          })),
        );
      });
    }
  };
  const revoke = async () => {
    for (const [n, { user, consentId }] of leaving.entries()) {
      await receiver.received(15 * n);
      await revokeConsents(there.ctx, user, { consentIds: [consentId] });
    }
  };
  await Promise.all([write(), revoke()]);
  const happened = await ctx.database.query.select({ code: retaliations.code }).from(retaliations);
  const told = () =>
    receiver
      .events()
      .filter(({ body }) => body.type === "retaliation.opened")
      .filter(({ body }) => body.data.sub === String(stays.user.playerId))
      .map(({ body }) => body.data.subject.id);
  await ctx.settled();
  await expect.poll(() => told().length, { timeout: 60_000 }).toBe(happened.length);
  expect(new Set(told())).toEqual(new Set(happened.map(({ code }) => code)));
  expect(hitsAt(receiver).length).toBeGreaterThan(happened.length);
  for (const deliverer of deliverers) await deliverer.stop(1_000);
});
