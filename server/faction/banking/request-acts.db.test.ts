import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import { notices } from "#db/schema/accounts";
import { vaultRequests } from "#db/schema/faction";
import { auditLog } from "#db/schema/operations";
import { players } from "#db/schema/players";
import type { Failure } from "#server/failures";
import { bankingWorld, copperTide, lanternwatch } from "#server/testing/banking-world";
import { testDatabase } from "#server/testing/database";
import { visitor } from "#server/testing/world";
import { demoPersonOf } from "#simulator/demo-people";
import { cancelRequest, fulfilRequest, markPaidAgain } from "./request-acts";

const world = await bankingWorld(await testDatabase());
const { ctx, clock, people, ask, message, position } = world;
const on = ctx.database.query;
const row = async (id: number) =>
  (await on.select().from(vaultRequests).where(eq(vaultRequests.id, id)))[0];
const codeOf = async (attempt: Promise<unknown>) =>
  attempt.then(
    () => "done",
    (thrown: Failure) => thrown.kind.code,
  );
const fulfil = (who: keyof typeof people, request: unknown) =>
  fulfilRequest(ctx, people[who], { request: String(request) });

beforeEach(() => world.nextMinute());

test("a banker marks a request as paid: the record says who and when, and the payment is looked for", async () => {
  const { id } = await ask();
  await fulfil("banker", id);
  expect(await row(id)).toMatchObject({
    ...{
      status: "fulfilled",
      closedAt: clock.now(),
      closedBy: people.banker.playerId,
      verification: "waiting",
    },
  });
  const events = await on
    .select()
    .from(auditLog)
    .where(eq(auditLog.act, "vault_request.fulfilled"));
  expect(events.at(-1)).toMatchObject({
    actor: `account:${people.banker.accountId}`,
    accountId: people.member.accountId,
    details: { request: id, amount: 1_000, type: "money_balance", player: people.member.playerId },
  });
});

test("the member is told at once, and the card turns good and loses its buttons (§7 row 49)", async () => {
  await on.delete(notices);
  const { id } = await ask({ amount: 1_234_567 });
  await fulfil("banker", id);
  const told = await on
    .select()
    .from(notices)
    .where(eq(notices.accountId, people.member.accountId));
  expect(told.map(({ text }) => text)).toEqual([
    `Your request #${id} for $1,234,567 was paid by Bruno_Vault [1002]. Check that you have it.`,
  ]);
  expect(await message(`vault-request:${id}:paid`)).toMatchObject({
    recipientId: expect.any(BigInt),
  });
  const card = (await message(`vault-request:${id}`))?.message as {
    card: { tone: string };
    buttons?: unknown;
  };
  expect([card.card.tone, card.buttons]).toEqual(["good", undefined]);
});

describe("§7 rows 48 and 49: who may", () => {
  test("only a member of the request's faction with the right kind of giving", async () => {
    const [money, points] = [await ask(), await ask({ currency: "points_balance", amount: 5 })];
    await position(lanternwatch, "Banker", ["Money Giving"]);
    expect(await codeOf(fulfil("banker", points.id))).toBe(4007);
    await position(lanternwatch, "Banker", ["Points Giving"]);
    expect(await codeOf(fulfil("banker", money.id))).toBe(4007);
    await position(lanternwatch, "Banker", ["Balance Adjustment"]);
    expect(await codeOf(fulfil("banker", money.id))).toBe("done");
    await position(lanternwatch, "Banker", ["Money Giving", "Points Giving"]);
    expect(await codeOf(fulfil("banker", points.id))).toBe("done");
  });

  test("not the member who asks, nor another plain member, nor anybody of another faction", async () => {
    const { id, guid } = await ask();
    expect(await codeOf(fulfil("member", id))).toBe(4007);
    expect(await codeOf(fulfil("developer", guid))).toBe(4007);
    expect(await codeOf(fulfil("loner", guid))).toBe(1102);
    await on
      .update(players)
      .set({ positionName: "Banker" })
      .where(eq(players.id, people.outsider.playerId));
    expect(await codeOf(fulfil("outsider", guid))).toBe(1600);
    expect((await row(id))?.status).toBe("pending");
  });

  test("a banker who went to another faction fulfils nothing of the old one (§7 row 26)", async () => {
    const { guid } = await ask();
    const where = eq(players.id, people.banker.playerId);
    await on.update(players).set({ factionId: copperTide }).where(where);
    expect(await codeOf(fulfil("banker", guid))).toBe(1600);
    await on.update(players).set({ factionId: lanternwatch }).where(where);
  });
});

test("§7 row 48: what is expired, cancelled or paid already cannot be fulfilled, and nobody unknown crashes it", async () => {
  const expiring = await ask({ expiresAt: new Date(clock.now().getTime() + 1_000) });
  const cancelled = await ask();
  await cancelRequest(ctx, people.member, { factionId: lanternwatch, request: cancelled.guid });
  clock.advance(1);
  expect(await codeOf(fulfil("banker", expiring.guid))).toBe(1601);
  expect(await codeOf(fulfil("banker", cancelled.guid))).toBe(1601);
  const paid = await ask();
  await fulfil("banker", paid.guid);
  expect(await codeOf(fulfil("banker", paid.guid))).toBe(1601);
  const [stranger] = await on
    .insert(vaultRequests)
    .values({
      ...{
        guid: ctx.ids.uuid(),
        factionId: lanternwatch,
        playerId: 999_999,
        amount: 1,
        currency: "money_balance",
      },
      ...{ status: "pending", requestedAt: clock.now(), channelId: 5n },
    })
    .returning();
  expect(await codeOf(fulfil("banker", stranger?.id))).toBe("done");
  for (const name of ["0", "text", "", "00000000-0000-4000-8000-000000000000"])
    expect(await codeOf(fulfil("banker", name))).toBe(1600);
});

test("a player of the chat who never signed in here acts by the same rules, and the log names them", async () => {
  const { id } = await ask();
  const { playerId } = demoPersonOf("banker");
  await fulfilRequest(
    ctx,
    { ...visitor, kind: "player", playerId, accountId: null },
    { request: String(id) },
  );
  const events = await on
    .select()
    .from(auditLog)
    .where(eq(auditLog.act, "vault_request.fulfilled"));
  expect(events.at(-1)).toMatchObject({ actor: `player:${playerId}`, clientId: null });
});

describe("paying again", () => {
  const unseen = (id: number) =>
    on.update(vaultRequests).set({ verification: "unverified" }).where(eq(vaultRequests.id, id));
  const again = (who: keyof typeof people, request: number) =>
    markPaidAgain(ctx, people[who], { request: String(request) });

  test("begins the search for a payment again that was not seen, tells the member, and counts as paid now", async () => {
    const { id } = await ask({ amount: 4_321 });
    await fulfil("banker", id);
    await unseen(id);
    clock.advance(3_600);
    await on.delete(notices);
    await again("banker", id);
    expect(await row(id)).toMatchObject({
      status: "fulfilled",
      verification: "waiting",
      closedAt: clock.now(),
    });
    const told = await on
      .select()
      .from(notices)
      .where(eq(notices.accountId, people.member.accountId));
    expect(told.map(({ text }) => text)).toEqual([
      expect.stringContaining(`Your request #${id} for $4,321 was paid`),
    ]);
    const events = await on
      .select()
      .from(auditLog)
      .where(eq(auditLog.act, "vault_request.fulfilled"));
    expect(events.at(-1)?.details).toMatchObject({ request: id, again: true });
  });

  test("is refused while it is looked for, once it was seen, and of what nobody marked as paid", async () => {
    const [{ id }, waiting] = [await ask(), await ask()];
    await fulfil("banker", id);
    for (const request of [id, waiting.id])
      expect(await codeOf(again("banker", request))).toBe(1601);
    await on
      .update(vaultRequests)
      .set({ verification: "verified" })
      .where(eq(vaultRequests.id, id));
    expect(await codeOf(again("banker", id))).toBe(1601);
  });

  test("is for who may pay out this kind, in the request's faction", async () => {
    const { id } = await ask();
    await fulfil("banker", id);
    await unseen(id);
    expect(await codeOf(again("member", id))).toBe(4007);
    expect(await codeOf(again("loner", id))).toBe(1102);
    expect((await row(id))?.verification).toBe("unverified");
  });
});
