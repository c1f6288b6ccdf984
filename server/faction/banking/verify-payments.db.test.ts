import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import { gameKeys, notices } from "#db/schema/accounts";
import { vaultRequests } from "#db/schema/faction";
import { auditLog } from "#db/schema/operations";
import type { Context } from "#server/context";
import type { GameClient } from "#server/game/client";
import { bankingWorld, lanternwatch } from "#server/testing/banking-world";
import { testDatabase } from "#server/testing/database";
import { recordedLog } from "#server/testing/recorded-log";
import { fulfilRequest, markPaidAgain } from "./request-acts";
import { listUnproved } from "./store";
import { concludeVerification, verifyPaymentsJob } from "./verify-payments";

const world = await bankingWorld(await testDatabase());
const { ctx, clock, simulator, people, ask, message } = world;
const on = ctx.database.query;
const [banker, developer, member] = [
  people.banker.playerId,
  people.developer.playerId,
  people.member.playerId,
];

/** A run of the job, a minute after the last one. */
const run = async (seconds = 60, context: Context = ctx) => {
  clock.advance(seconds);
  simulator.control.clearCache();
  const counts = await verifyPaymentsJob.run(context, {
    budget: verifyPaymentsJob.budget,
    signal: new AbortController().signal,
  });
  await ctx.settled();
  return counts;
};
const give = (
  amount: number,
  {
    currency = "money",
    ...people
  }: { by?: number; to?: number; currency?: "money" | "points" } = {},
) =>
  simulator.control.giveFunds({
    ...{ factionId: lanternwatch, by: banker, to: member },
    [currency]: amount,
    ...people,
  });
const fulfil = (guid: string) => fulfilRequest(ctx, people.banker, { request: guid });
const row = async (id: number) =>
  (await on.select().from(vaultRequests).where(eq(vaultRequests.id, id)))[0];
const cardOf = async (id: number) =>
  (await message(`vault-request:${id}`))?.message as
    | { card: { tone: string; body: string } }
    | undefined;
const told = async () => (await on.select().from(notices)).map(({ text }) => text);

beforeEach(async () => {
  await on.update(vaultRequests).set({ verification: null });
  await on.delete(notices);
  await on.delete(auditLog);
  await on.update(gameKeys).set({ state: "active" });
  world.nextMinute();
  simulator.control.setBalance({
    factionId: lanternwatch,
    playerId: member,
    money: 10_000_000,
    points: 400,
  });
});

describe("a payment", () => {
  test("that stands in the vault's news proves the request, and the card says so", async () => {
    const { id, guid } = await ask({ amount: 1_234_567 });
    clock.advance(20);
    const { newsId } = give(1_234_567) as { newsId: string };
    await fulfil(guid);
    expect(await run()).toEqual({ verified: 1, unverified: 0, factionsUnread: 0 });
    expect(await row(id)).toMatchObject({
      status: "fulfilled",
      verification: "verified",
      newsId,
      closedBy: banker,
    });
    expect(await cardOf(id)).toMatchObject({
      card: { tone: "good", body: expect.stringContaining("news shows it") },
    });
    const events = await on
      .select()
      .from(auditLog)
      .where(eq(auditLog.act, "vault_request.verified"));
    expect(events).toMatchObject([
      { actor: "job:verify-payments", details: { markedBy: banker, paidBy: banker } },
    ]);
    expect(await run()).toEqual({ verified: 0, unverified: 0, factionsUnread: 0 });
  });

  test("may come after it was marked, and may be of points", async () => {
    const { id, guid } = await ask({ amount: 15, currency: "points_balance" });
    await fulfil(guid);
    expect(await run()).toMatchObject({ verified: 0, unverified: 0 });
    give(15, { currency: "points" });
    expect(await run()).toMatchObject({ verified: 1 });
    expect((await row(id))?.verification).toBe("verified");
  });

  test("by somebody else than who marked it is recorded as theirs", async () => {
    const { id, guid } = await ask({ amount: 77 });
    give(77, { by: developer });
    await fulfil(guid);
    await run();
    expect(await row(id)).toMatchObject({ verification: "verified", closedBy: developer });
    expect((await cardOf(id))?.card.body).toContain("Ada_Quill [1001] paid $77");
  });

  test("§7 row 51: proves one request, in this run and in all later ones", async () => {
    const [one, two] = [await ask({ amount: 500 }), await ask({ amount: 500 })];
    await fulfil(one.guid);
    await fulfil(two.guid);
    give(500);
    expect(await run()).toMatchObject({ verified: 1 });
    expect(await run()).toMatchObject({ verified: 0 });
    clock.advance(600);
    expect(await run()).toMatchObject({ verified: 0, unverified: 1 });
    const states = [await row(one.id), await row(two.id)].map((request) => request?.verification);
    expect(states.sort()).toEqual(["unverified", "verified"]);
  });

  test("that is old news, of another amount, of another kind, or somebody else's proves nothing", async () => {
    give(900);
    clock.advance(5);
    const { id, guid } = await ask({ amount: 900 });
    clock.advance(5);
    await fulfil(guid);
    give(901);
    give(900, { to: developer });
    simulator.control.setBalance({ factionId: lanternwatch, playerId: member, points: 5_000 });
    give(900, { currency: "points" });
    expect(await run()).toMatchObject({ verified: 0, unverified: 0 });
    expect((await row(id))?.verification).toBe("waiting");
  });

  test("is found behind more lines of news than one page holds", async () => {
    const { id, guid } = await ask({ amount: 321 });
    give(321);
    for (let n = 0; n < 130; n++) {
      if (n % 3 === 0) clock.advance(1);
      give(1);
    }
    await fulfil(guid);
    expect(await run(10)).toMatchObject({ verified: 1 });
    expect((await row(id))?.verification).toBe("verified");
  });
});

describe("a fulfilment without a payment", () => {
  test("is unverified after ten minutes and not before: the member is warned, and the card warns", async () => {
    const { id, guid } = await ask({ amount: 42 });
    await fulfil(guid);
    await on.delete(notices);
    expect(await run(599)).toMatchObject({ unverified: 0 });
    expect(await told()).toEqual([]);
    expect(await run(1)).toMatchObject({ unverified: 1 });
    expect(await row(id)).toMatchObject({
      status: "fulfilled",
      verification: "unverified",
      closedBy: banker,
    });
    expect(await cardOf(id)).toMatchObject({ card: { tone: "warning" } });
    expect(await told()).toEqual([expect.stringContaining("the vault's news does not show it")]);
    expect(await message(`vault-request:${id}:unverified`)).toMatchObject({
      recipientId: expect.any(BigInt),
    });
    const events = await on
      .select()
      .from(auditLog)
      .where(eq(auditLog.act, "vault_request.unverified"));
    expect(events).toMatchObject([{ accountId: people.member.accountId }]);
  });

  test("that is paid again while a run judges it is searched again, whatever that run found", async () => {
    const { id, guid } = await ask({ amount: 43 });
    await fulfil(guid);
    const [judged] = await listUnproved(on, 10);
    await run(600);
    clock.advance(1);
    await markPaidAgain(ctx, people.banker, { request: guid });
    expect(judged && (await concludeVerification(ctx, judged, null))).toBe(false);
    expect(await row(id)).toMatchObject({ verification: "waiting" });
  });

  test.each([{ code: 17 }, { drop: true }, { malformed: true }])(
    "§7 row 51: is not judged while the game answers with %j; the news is read again later",
    async (fault) => {
      const { id, guid } = await ask({ amount: 43 });
      await fulfil(guid);
      give(43);
      simulator.control.addFault({ path: "faction", ...fault });
      expect(await run(700)).toEqual({ verified: 0, unverified: 0, factionsUnread: 1 });
      expect((await row(id))?.verification).toBe("waiting");
      simulator.control.clearFaults();
      expect(await run()).toMatchObject({ verified: 1 });
    },
  );

  test("is not judged while nobody's key reads the news, but for a day at most", async () => {
    const { id, guid } = await ask({ amount: 44 });
    await fulfil(guid);
    await on.update(gameKeys).set({ state: "paused" });
    expect(await run(700)).toMatchObject({ factionsUnread: 1, unverified: 0 });
    expect(await run(86_400)).toMatchObject({ unverified: 1 });
    expect((await row(id))?.verification).toBe("unverified");
  });
});

test("without a budget nothing is asked", async () => {
  const { guid } = await ask({ amount: 45 });
  await fulfil(guid);
  const counts = await verifyPaymentsJob.run(ctx, {
    budget: 0,
    signal: new AbortController().signal,
  });
  expect(counts).toEqual({ verified: 0, unverified: 0, factionsUnread: 0 });
});

describe("of a page of the vault's news", () => {
  const warningsOn = async (text: string) => {
    const { guid } = await ask({ amount: 55_000 });
    give(55_000);
    await fulfil(guid);
    const log = recordedLog();
    const game: GameClient = {
      ...ctx.game,
      factionNews: async (...asked) => {
        const answer = await ctx.game.factionNews(...asked);
        return { ...answer, news: answer.news.map((item) => ({ ...item, text })) };
      },
    };
    await run(60, { ...ctx, game, log });
    return log.lines.filter(({ level }) => level === "warn").map(({ message }) => message);
  };

  test("in which no line is in known words the operator is warned", async () => {
    expect(await warningsOn("Cleo received a parcel.")).toEqual([
      "no line of the vault's news is understood",
    ]);
  });

  test("that tells of nothing but paydays, or of adjusted balances, nobody is warned", async () => {
    const link = '<a href = "http://game.test/profiles.php?XID=1003">Cleo</a>';
    expect(
      await warningsOn(`${link} was paid $5 for a total of $20 from the faction by ${link}`),
    ).toEqual([]);
    expect(await warningsOn(`${link} added $5 to the balance of ${link}`)).toEqual([]);
  });
});
