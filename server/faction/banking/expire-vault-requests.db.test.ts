import { eq } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { notices } from "#db/schema/accounts";
import { vaultRequests } from "#db/schema/faction";
import { auditLog } from "#db/schema/operations";
import { players } from "#db/schema/players";
import { bankingWorld, copperTide, lanternwatch } from "#server/testing/banking-world";
import { testDatabase } from "#server/testing/database";
import { expireVaultRequestsJob } from "./request-acts";

const world = await bankingWorld(await testDatabase());
const { ctx, clock, people, ask, message } = world;
const on = ctx.database.query;
const run = () =>
  expireVaultRequestsJob.run(ctx, { budget: 0, signal: new AbortController().signal });
const row = async (id: number) =>
  (await on.select().from(vaultRequests).where(eq(vaultRequests.id, id)))[0];
const inSeconds = (seconds: number) => new Date(clock.now().getTime() + seconds * 1_000);

beforeEach(async () => {
  world.nextMinute();
  await on.delete(vaultRequests);
  await on.delete(notices);
  await on.delete(auditLog);
});

test("a request ends when its time is over, as of that moment, and by nobody", async () => {
  const expiresAt = inSeconds(30);
  const [ending, endless] = [await ask({ expiresAt }), await ask()];
  clock.advance(29);
  expect(await run()).toMatchObject({ expired: 0, left: 0 });
  clock.advance(4);
  expect(await run()).toMatchObject({ expired: 1, left: 0 });
  expect(await row(ending.id)).toMatchObject({
    status: "cancelled",
    closedAt: expiresAt,
    closedBy: null,
  });
  expect((await row(endless.id))?.status).toBe("pending");
  expect(await run()).toMatchObject({ expired: 0, left: 0 });
});

test("the member is told once, in the portal and directly in the chat; the card is red and has no buttons", async () => {
  const { id } = await ask({ expiresAt: inSeconds(1) });
  clock.advance(1);
  await run();
  const words = `Your request #${id} for $1,000 was not paid in time and expired. You can send a new request.`;
  expect((await on.select().from(notices)).map(({ text }) => text)).toEqual([words]);
  expect(await message(`vault-request:${id}:expired`)).toMatchObject({
    message: { card: { body: words } },
  });
  const card = (await message(`vault-request:${id}`))?.message as {
    card: { tone: string };
    buttons?: unknown;
  };
  expect([card.card.tone, card.buttons]).toEqual(["error", undefined]);
  const events = await on.select().from(auditLog).where(eq(auditLog.act, "vault_request.expired"));
  expect(events).toMatchObject([
    { actor: "job:end-vault-requests", accountId: people.member.accountId },
  ]);
});

test("§7 row 26: who leaves the faction takes no pending request along", async () => {
  const { id } = await ask();
  const where = eq(players.id, people.member.playerId);
  await on.update(players).set({ factionId: copperTide }).where(where);
  expect(await run()).toMatchObject({ expired: 0, left: 1 });
  await on.update(players).set({ factionId: lanternwatch }).where(where);
  expect(await row(id)).toMatchObject({
    status: "cancelled",
    closedAt: clock.now(),
    closedBy: null,
  });
  expect(await message(`vault-request:${id}`)).toMatchObject({
    message: { card: { body: expect.stringContaining("left the faction") } },
  });
});

test("a run stops between two batches when the process drains", async () => {
  const requests = Array.from({ length: 450 }, () => ({
    // An unknown player gets no notice.
    ...{ guid: ctx.ids.uuid(), factionId: lanternwatch, playerId: 999_999, amount: 1 },
    ...{ currency: "money_balance" as const, status: "pending" as const, requestedAt: clock.now() },
    expiresAt: clock.now(),
  }));
  await on.insert(vaultRequests).values(requests);
  expect(
    await expireVaultRequestsJob.run(ctx, { budget: 0, signal: AbortSignal.abort() }),
  ).toMatchObject({
    expired: 200,
  });
  expect(await run()).toMatchObject({ expired: 250 });
});
