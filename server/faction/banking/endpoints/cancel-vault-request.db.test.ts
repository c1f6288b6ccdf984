import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import { gameKeys, notices } from "#db/schema/accounts";
import { vaultRequests } from "#db/schema/faction";
import { players } from "#db/schema/players";
import {
  bankingServer,
  bankingWorld,
  copperTide,
  lanternwatch,
} from "#server/testing/banking-world";
import { testDatabase } from "#server/testing/database";
import { fulfilRequest } from "../request-acts";

const world = await bankingWorld(await testDatabase());
const { ctx, clock, people, api, ask, message, link } = world;
const on = ctx.database.query;
const pathOf = (request: unknown, factionId = lanternwatch) =>
  `/faction/${factionId}/banking/${request}`;
const cancel = (role: string, request: unknown, factionId?: number) =>
  api(role, pathOf(request, factionId), { method: "DELETE" });
const row = async (id: number) =>
  (await on.select().from(vaultRequests).where(eq(vaultRequests.id, id)))[0];
const noticesOf = async (accountId: string) =>
  (await on.select().from(notices).where(eq(notices.accountId, accountId))).map(({ text }) => text);

/** A request of the other faction, which has no link of its own. */
async function foreignRequest() {
  const [made] = await on
    .insert(vaultRequests)
    .values({
      ...{
        guid: ctx.ids.uuid(),
        factionId: copperTide,
        playerId: people.outsider.playerId,
        amount: 9,
      },
      ...{ currency: "money_balance", status: "pending", requestedAt: clock.now() },
    })
    .returning();
  if (!made) throw new Error("The request was not inserted.");
  return made;
}

beforeEach(async () => {
  world.nextMinute();
  await on.delete(notices);
});

test("ER-09: cancelling one's own is 204 without a body", async () => {
  const { id } = await ask();
  const answer = await cancel("member", id);
  expect([answer.status, answer.text, answer.headers.get("content-type")]).toEqual([204, "", null]);
  const by = people.member.playerId;
  expect(await row(id)).toMatchObject({
    status: "cancelled",
    closedAt: clock.now(),
    closedBy: by,
    verification: null,
  });
});

describe("ID-03: who may cancel whose", () => {
  test("a plain member not the banker's (4007), a banker the member's, both their own", async () => {
    const [bankers, members] = [await ask({}, "banker"), await ask()];
    expect(await cancel("member", bankers.id)).toMatchObject({ status: 403, json: { code: 4007 } });
    expect((await row(bankers.id))?.status).toBe("pending");
    expect((await cancel("banker", members.id)).status).toBe(204);
    expect((await cancel("banker", bankers.id)).status).toBe(204);
  });

  test("a banker who was sent to another position, or to another faction, has no right left", async () => {
    const { id } = await ask();
    const where = eq(players.id, people.banker.playerId);
    await on.update(players).set({ positionName: "Member" }).where(where);
    expect((await cancel("banker", id)).json).toMatchObject({ code: 4007 });
    await on.update(players).set({ positionName: "Banker", factionId: copperTide }).where(where);
    expect((await cancel("banker", id)).json).toMatchObject({ code: 4022 });
    expect((await cancel("banker", id, copperTide)).json).toMatchObject({ code: 1600 });
    await on.update(players).set({ positionName: "Banker", factionId: lanternwatch }).where(where);
    expect((await cancel("banker", id)).status).toBe(204);
  });
});

describe("which request", () => {
  test("FZ-12: by number, by guid, by guid in capitals", async () => {
    for (const name of ["id", "guid", "GUID"] as const) {
      const { id, guid } = await ask();
      const answer = await cancel("member", { id, guid, GUID: guid.toUpperCase() }[name]);
      expect([name, answer.status]).toEqual([name, 204]);
    }
  });

  test.each([
    "0",
    "-1",
    "text",
    "1.5",
    "01",
    "2147483648",
    "9".repeat(30),
    "%20",
    "%F0%9F%92%B8",
    "__proto__",
  ])("FZ-12 and §7 row 23: %s is 1600, never 500", async (name) => {
    expect(await cancel("member", name)).toMatchObject({ status: 404, json: { code: 1600 } });
  });

  test("ER-16: another faction's is answered byte for byte as one that does not exist", async () => {
    const foreign = await foreignRequest();
    const missing = await cancel("banker", "00000000-0000-4000-8000-000000000000");
    for (const name of [foreign.id, foreign.guid, 2_147_483_647]) {
      const answer = await cancel("banker", name);
      expect([answer.status, answer.text]).toEqual([404, missing.text]);
    }
    expect((await row(foreign.id))?.status).toBe("pending");
  });

  test("ID-01: below another faction's path it is 4022, whether the request exists or not; without a faction 1102 (BR-11)", async () => {
    const foreign = await foreignRequest();
    const there = await cancel("banker", foreign.id, copperTide);
    const nowhere = await cancel("banker", 2_147_483_647, copperTide);
    expect([there.status, there.json]).toMatchObject([403, { code: 4022 }]);
    expect(there.text).toBe(nowhere.text);
    expect((await cancel("loner", foreign.id, copperTide)).json).toMatchObject({ code: 1102 });
  });
});

test("ID-06: cancelled twice, or cancelled after it was paid, is 1601", async () => {
  const [once, paid] = [await ask(), await ask()];
  await cancel("member", once.id);
  expect(await cancel("member", once.id)).toMatchObject({ status: 409, json: { code: 1601 } });
  await fulfilRequest(ctx, people.banker, { request: String(paid.id) });
  expect(await cancel("member", paid.id)).toMatchObject({ status: 409, json: { code: 1601 } });
  expect(await row(paid.id)).toMatchObject({
    status: "fulfilled",
    closedBy: people.banker.playerId,
  });
});

test("a request whose time is over is not pending any more, also before anybody swept it", async () => {
  const { id } = await ask({ expiresAt: new Date(clock.now().getTime() + 1_000) });
  clock.advance(1);
  expect((await cancel("member", id)).json).toMatchObject({ code: 1601 });
});

test("§7 row 46: it needs neither the link nor a key", async () => {
  const { id } = await ask();
  await link(lanternwatch, null);
  await on.update(gameKeys).set({ state: "paused" });
  expect((await cancel("member", id)).status).toBe(204);
  expect((await message(`vault-request:${id}`))?.message).toMatchObject({
    card: { title: expect.stringContaining("cancelled") },
  });
  await link(lanternwatch, bankingServer);
  await on.update(gameKeys).set({ state: "active" });
});

describe("what a cancelling tells", () => {
  test("§7 rows 47 and 49: the card names the banker and whose it was, and has no buttons", async () => {
    const { id } = await ask();
    await cancel("banker", id);
    const card = (await message(`vault-request:${id}`))?.message as {
      card: { body: string };
      buttons?: unknown;
    };
    expect(card.card.body).toBe(
      "Bruno_Vault [1002] cancelled the request of Cleo_Marsh [1003] for $1,000.",
    );
    expect(card.buttons).toBeUndefined();
  });

  test("the member hears of it from the portal and directly in the chat; who cancels their own does not", async () => {
    const [others, own] = [await ask(), await ask()];
    await cancel("banker", others.id);
    await cancel("member", own.id);
    const words = `Your request #${others.id} for $1,000 was cancelled by Bruno_Vault [1002]. You can send a new request.`;
    expect(await noticesOf(people.member.accountId)).toEqual([words]);
    const letter = await message(`vault-request:${others.id}:cancelled`);
    const [member] = await on.select().from(players).where(eq(players.id, people.member.playerId));
    expect(letter).toMatchObject({
      recipientId: member?.chatId,
      channelId: null,
      message: { card: { body: words } },
    });
    expect(await message(`vault-request:${own.id}:cancelled`)).toBeUndefined();
  });

  test("§7 row 50: without a chat account the card changes all the same, and the portal tells", async () => {
    const { id } = await ask();
    const where = eq(players.id, people.member.playerId);
    const [before] = await on.select().from(players).where(where);
    await on.update(players).set({ chatId: null }).where(where);
    await cancel("banker", id);
    await on
      .update(players)
      .set({ chatId: before?.chatId ?? null })
      .where(where);
    expect((await message(`vault-request:${id}`))?.message).toMatchObject({
      card: { tone: "error" },
    });
    expect(await message(`vault-request:${id}:cancelled`)).toBeUndefined();
    expect(await noticesOf(people.member.accountId)).toHaveLength(1);
  });
});
