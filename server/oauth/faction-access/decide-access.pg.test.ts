import { setTimeout as wait } from "node:timers/promises";
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { events } from "#db/schema/events";
import { factionAccess } from "#db/schema/faction";
import { players } from "#db/schema/players";
import type { Context } from "#server/context";
import { apiPrefix } from "#server/machine-path";
import { compileDispatch } from "#server/rest/dispatch";
import { routes } from "#server/routes";
import { readAnswer } from "#server/testing/dispatch-world";
import { eventsIn, readEvents, untilTold } from "#server/testing/event-reader";
import { eventWorld, serveFront } from "#server/testing/event-world";
import { hookReceiver } from "#server/testing/hook-receiver";
import {
  answerSlowly,
  hitsAt,
  hookSettings,
  mintHooks,
  testDeliverer,
} from "#server/testing/hook-world";
import { expectWithin, livedTime } from "#server/testing/lived-time";
import { mintTokens, unthrottled } from "#server/testing/oauth-world";
import { twoInstances } from "#server/testing/two-instances";
import { mintUser, testSource } from "#server/testing/world";
import { pauseConsent } from "../consents/consent-acts";
import { decideAccess, setBlockedByDefault } from "./decide-access";

const rates = { ...unthrottled, holder: 1_000_000, peer: 1_000_000 };
const { here, there } = await twoInstances({ ...hookSettings, rates });
const { ctx, clock } = here;
const deliverers = [await testDeliverer(ctx), await testDeliverer(there.ctx)];
const runBoth = () => Promise.all(deliverers.map((deliverer) => deliverer.run()));
const dispatch = compileDispatch(routes, { prefix: apiPrefix });

async function codeOf(on: Context, token: string, factionId: number): Promise<number> {
  const headers = { authorization: `Bearer ${token}` };
  const request = new Request(
    `http://any.host${apiPrefix}/faction/${factionId}/attacks/retaliations`,
    { headers },
  );
  const { status, json } = await readAnswer(
    await dispatch(on, request, { address: testSource.address }),
  );
  return status < 400 ? status : (json as { code: number }).code;
}
const leaderOf = (factionId: number) =>
  mintUser(ctx, { factionId, positionName: "Leader", factionSince: ctx.now() });

// The fixed clock keeps caches fresh, so only messages between instances can end anything.

test("a block at one instance refuses calls there at once and at the other within a second, and so does the list of chosen ones", async () => {
  const factionId = 71_001;
  const leader = await leaderOf(factionId);
  const { member, app } = await eventWorld(ctx, factionId);
  const { token } = await member();
  const both = [ctx, there.ctx] as const;
  const cells = () => Promise.all(both.map((on) => codeOf(on, token, factionId)));
  const { clientId } = app;
  for (let round = 0; round < 6; round++) {
    clock.advance(60);
    expect(await cells()).toEqual([200, 200]);
    if (round % 2 === 0) await decideAccess(ctx, leader, { clientIds: [clientId], blocked: true });
    else await setBlockedByDefault(ctx, leader, { onlyChosen: true });
    // Chosen by name once it was allowed again.
    const cut = round % 2 === 0 ? 4023 : 200;
    expect(await codeOf(ctx, token, factionId)).toBe(cut);
    await expectWithin(1_000, () => codeOf(there.ctx, token, factionId)).toBe(cut);
    await decideAccess(there.ctx, leader, { clientIds: [clientId], blocked: false });
    await setBlockedByDefault(there.ctx, leader, { onlyChosen: false });
    await expectWithin(1_000, () => codeOf(ctx, token, factionId)).toBe(200);
  }
});

test("a stream at another instance tells nothing of the faction a second after the block, stays open, and goes on when it is lifted", async () => {
  const factionId = 71_002;
  const leader = await leaderOf(factionId);
  const { member, happen, app } = await eventWorld(ctx, factionId);
  const of = await member();
  const { url } = await serveFront(there.ctx);
  clock.advance(1);
  const reader = await readEvents(url, of.token);
  let writing = true;
  let written = 0;
  const writer = (async () => {
    while (writing) {
      await happen(`hit ${written++}`);
      clock.advance(0.005);
    }
  })();
  await untilTold(reader, "hit 5");
  await decideAccess(ctx, leader, { clientIds: [app.clientId], blocked: true });
  await wait(1_000);
  const told = hitsOf(reader.frames);
  const until = written + 30;
  await expect.poll(() => written).toBeGreaterThan(until);
  writing = false;
  await writer;
  await ctx.settled();
  expect(hitsOf(reader.frames)).toEqual(told);
  expect(told.length).toBeLessThan(until - 30);
  await decideAccess(ctx, leader, { clientIds: [app.clientId], blocked: false });
  clock.advance(1);
  await happen("afterwards");
  await untilTold(reader, "afterwards");
  expect(hitsOf(reader.frames)).toEqual([...told, "afterwards"]);
  const changed = eventsIn(reader.frames).filter(({ event }) => event === "faction_access.changed");
  expect(changed.map(({ data }) => data.data.access)).toEqual(["blocked", "allowed"]);
  expect(reader.ended()).toBeUndefined();
  reader.close();
});

const hitsOf = (frames: Parameters<typeof eventsIn>[0]) =>
  eventsIn(frames)
    .filter(({ event }) => event === "retaliation.opened")
    .map(({ data }) => data.data.subject.id as string);

test("while 2,000 events are being sent to a webhook the faction blocks it: a second later nothing more of them is, and nothing waits", async () => {
  const receiver = await hookReceiver();
  const hooks = await mintHooks(here, receiver);
  await hooks.member();
  const leader = await leaderOf(hooks.factionId);
  await runBoth();
  answerSlowly(receiver, hooks.secret, 5);
  await hooks.hits(...Array.from({ length: 2_000 }, (_, n) => `hit ${n}`));
  const sending = runBoth();
  await receiver.received(20);
  await decideAccess(there.ctx, leader, { clientIds: [hooks.key.clientId], blocked: true });
  await wait(1_000);
  const sent = hitsAt(receiver);
  await sending;
  await hooks.hits("while blocked");
  await runBoth();
  expect(hitsAt(receiver)).toEqual(sent);
  expect(sent.length).toBeLessThan(2_000);
  await decideAccess(there.ctx, leader, { clientIds: [hooks.key.clientId], blocked: false });
  await hooks.hits("afterwards");
  await runBoth();
  expect(hitsAt(receiver)).toEqual([...sent, "afterwards"]);
  const told = receiver.events().filter(({ body }) => body.type === "faction_access.changed");
  expect(told.map(({ body }) => body.data.access)).toEqual(["blocked", "allowed"]);
  expect(await hooks.view()).toMatchObject({ waiting: 0, health: "working" });
});

test("an attempt that is under way at the other instance when the faction blocks it is cut within a second", async () => {
  const receiver = await hookReceiver();
  const hooks = await mintHooks(here, receiver);
  await hooks.member();
  const leader = await leaderOf(hooks.factionId);
  await deliverers[1]?.start();
  await deliverers[1]?.run();
  const { promise: cut, resolve: closed } = Promise.withResolvers<void>();
  receiver.behave(({ body }, response) => {
    if (body.type === "retaliation.opened") response.once("close", () => closed());
    else response.end("ok");
  });
  await hooks.hits("a", "b");
  deliverers[1]?.wake();
  await receiver.received(1);
  await decideAccess(ctx, leader, { clientIds: [hooks.key.clientId], blocked: true });
  const lived = livedTime();
  await cut;
  expect(lived()).toBeLessThan(1_000);
  await ctx.settled();
  await deliverers[1]?.run();
  expect(hitsAt(receiver)).toEqual(["a"]);
});

test("of a block and an approval at one moment the block holds, whichever commits first", async () => {
  const factionId = 71_003;
  const leader = await leaderOf(factionId);
  const { member, app } = await eventWorld(ctx, factionId);
  await member();
  for (let round = 0; round < 10; round++) {
    clock.advance(60);
    const user = await mintUser(ctx, { factionId, factionSince: ctx.now() });
    const [{ access_token: token }] = await Promise.all([
      mintTokens(there.ctx, app, { user, scopes: ["identity", "faction"] }),
      decideAccess(ctx, leader, { clientIds: [app.clientId], blocked: true }),
    ]);
    await expectWithin(1_000, () => codeOf(ctx, token, factionId)).toBe(4023);
    await expectWithin(1_000, () => codeOf(there.ctx, token, factionId)).toBe(4023);
    await decideAccess(ctx, leader, { clientIds: [app.clientId], blocked: false });
  }
});

test("of leaders that decide at one moment the newest event says what holds, and acts of members come through beside them", async () => {
  const factionId = 71_004;
  const leaders = [await leaderOf(factionId), await leaderOf(factionId)] as const;
  const { member, app } = await eventWorld(ctx, factionId);
  const { user, consentId } = await member();
  const ids = { clientIds: [app.clientId] };
  for (let round = 0; round < 8; round++) {
    clock.advance(60);
    const other = await member();
    await Promise.all([
      decideAccess(ctx, leaders[0], { ...ids, blocked: true }),
      decideAccess(there.ctx, leaders[1], { ...ids, blocked: false }),
      setBlockedByDefault(there.ctx, leaders[0], { onlyChosen: round % 2 === 0 }),
      pauseConsent(ctx, other.user, { consentId: other.consentId }),
    ]);
    for (const { ctx: instance } of [here, there]) await instance.settled();
    const [row] = await ctx.database.query
      .select()
      .from(factionAccess)
      .where(eq(factionAccess.clientId, app.clientId));
    const told = (await ctx.database.query.select().from(events).orderBy(events.seq))
      .filter(
        ({ type, playerId }) => type === "faction_access.changed" && playerId === user.playerId,
      )
      .map(({ data }) => data.access);
    expect(told.at(-1) ?? "allowed").toBe(row?.blocked ? "blocked" : "allowed");
    // One event for each change.
    expect(told.filter((access, at) => access === told[at - 1])).toEqual([]);
  }
  expect(consentId).not.toBe("");
});

test("a player that changes faction at one instance falls under the new one's rule at the other within a second", async () => {
  const [home, away] = [71_005, 71_006];
  const leader = await leaderOf(away);
  const { member, app } = await eventWorld(ctx, home);
  const { user, token } = await member();
  await (await eventWorld(ctx, away)).member(["identity", "faction"], app);
  await decideAccess(ctx, leader, { clientIds: [app.clientId], blocked: true });
  expect(await codeOf(there.ctx, token, home)).toBe(200);
  await ctx.database.query
    .update(players)
    .set({ factionId: away, factionSince: ctx.now() })
    .where(eq(players.id, user.playerId));
  // Cached tokens expire by the clock; no message is sent for a player.
  clock.advance(1);
  expect(await codeOf(there.ctx, token, away)).toBe(4023);
});
