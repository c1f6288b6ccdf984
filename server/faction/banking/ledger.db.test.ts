import { parse } from "csv-parse/sync";
import { beforeEach, describe, expect, test } from "vitest";
import { vaultRequests } from "#db/schema/faction";
import { dayMs } from "#server/platform/time";
import { bankingWorld, copperTide, lanternwatch } from "#server/testing/banking-world";
import { testDatabase } from "#server/testing/database";
import { type LedgerQuery, ledgerCsv, listLedgerEntries, showLedger } from "./ledger";
import { cancelRequest } from "./request-acts";

const world = await bankingWorld(await testDatabase());
const { ctx, clock, people, ask } = world;
const on = ctx.database.query;
const [banker, member] = [people.banker.playerId, people.member.playerId];
const everything: LedgerQuery = { days: 30, member: null, unseenOnly: false, after: null };
const show = async (role: keyof typeof people, query: Partial<LedgerQuery> = {}) => {
  const ledger = await showLedger(ctx, people[role], { ...everything, ...query });
  if (!ledger) throw new Error("This player has no faction.");
  return ledger;
};

type Row = typeof vaultRequests.$inferInsert;
/** A payment that was made so many days ago. */
const payment = (daysAgo: number, fields: Partial<Row> = {}): Row => {
  const at = new Date(clock.now().getTime() - daysAgo * dayMs);
  return {
    ...{
      guid: ctx.ids.uuid(),
      factionId: lanternwatch,
      playerId: member,
      amount: 100,
      currency: "money_balance",
    },
    ...{
      status: "fulfilled",
      requestedAt: at,
      closedAt: at,
      closedBy: banker,
      verification: "verified",
    },
    ...fields,
  };
};
const fill = (...rows: Row[]) => on.insert(vaultRequests).values(rows);

beforeEach(async () => {
  await world.forgetRequests();
  world.nextMinute();
});

describe("a ledger", () => {
  test("lists what was closed in its range, newest first, and nothing that waits", async () => {
    await ask();
    const { id } = await ask({ amount: 20 });
    await cancelRequest(ctx, people.banker, { factionId: lanternwatch, request: String(id) });
    await fill(payment(1), payment(29), payment(31), payment(2, { factionId: copperTide }));
    const { requests } = await show("banker");
    expect(
      requests.map(({ amount, outcome, closer }) => [amount, outcome, closer?.playerId]),
    ).toEqual([
      [20, "cancelled", banker],
      [100, "verified", banker],
      [100, "verified", banker],
    ]);
    expect((await show("banker", { days: 7 })).requests).toHaveLength(2);
    expect((await show("banker", { days: 90 })).requests).toHaveLength(4);
  });

  test("is read page by page, without loss where many were closed at one moment", async () => {
    const at = clock.now();
    await fill(
      ...Array.from({ length: 60 }, (_, index) => payment(0, { amount: index + 1, closedAt: at })),
    );
    const seen: number[] = [];
    for (let after: string | null = null, pages = 0; pages < 5; pages++) {
      const { requests, next } = await show("banker", { after });
      seen.push(...requests.map(({ amount }) => amount));
      after = next;
      if (after === null) break;
    }
    expect(seen).toEqual(Array.from({ length: 60 }, (_, index) => 60 - index));
  });

  test.each(["x", "5.not-a-number", "99999999999999999999.1", "1.2147483648"])(
    "with %j as its place begins at the newest, or is empty",
    async (after) => {
      await fill(payment(0));
      expect((await show("banker", { after })).requests.length).toBeLessThanOrEqual(1);
    },
  );

  test("sums payments by banker, by member and by day, of either currency, and counts those that were not seen", async () => {
    await fill(
      payment(0, { amount: 5_000 }),
      payment(0, { amount: 7, currency: "points_balance" }),
      payment(3, { amount: 300, verification: "unverified", closedBy: people.developer.playerId }),
      payment(3, { amount: 40, playerId: people.developer.playerId, verification: "waiting" }),
      payment(4, { amount: 9_999, status: "cancelled", verification: null }),
    );
    const { total, byBanker, byMember, byDay } = await show("banker", { days: 7 });
    expect(total).toEqual({ money: 5_340, points: 7, payments: 4, checked: 1, unseen: 1 });
    expect(byBanker).toEqual([
      {
        player: { playerId: banker, name: "Bruno_Vault" },
        money: 5_040,
        points: 7,
        payments: 3,
        checked: 1,
        unseen: 0,
      },
      expect.objectContaining({ money: 300, points: 0, payments: 1, unseen: 1 }),
    ]);
    expect(byMember.map(({ player, money }) => [player.playerId, money])).toEqual([
      [member, 5_300],
      [people.developer.playerId, 40],
    ]);
    expect(byDay.map(({ money, points }) => [money, points])).toEqual([
      ...[
        [0, 0],
        [0, 0],
        [0, 0],
        [340, 0],
      ],
      ...[
        [0, 0],
        [0, 0],
        [5_000, 7],
      ],
    ]);
  });

  test("shows payments alone that were not seen, where it is asked to", async () => {
    await fill(payment(0), payment(1, { amount: 66, verification: "unverified" }));
    const { requests, total } = await show("banker", { unseenOnly: true });
    expect(requests.map(({ amount }) => amount)).toEqual([66]);
    expect(total).toMatchObject({ payments: 1, unseen: 1 });
  });
});

describe("who reads it:", () => {
  test("a banker everybody's or one member's, a member their own whatever they ask for", async () => {
    await fill(payment(0), payment(0, { playerId: banker, amount: 1 }));
    expect((await show("banker")).requests).toHaveLength(2);
    const one = await show("banker", { member: banker });
    expect([one.requests.map(({ amount }) => amount), one.member?.name]).toEqual([
      [1],
      "Bruno_Vault",
    ]);
    for (const asked of [null, banker]) {
      const own = await show("member", { member: asked });
      expect([own.banker, own.requests.map(({ amount }) => amount)]).toEqual([false, [100]]);
      expect([own.total.payments, own.byMember.length]).toEqual([1, 1]);
    }
  });

  test("nobody of another faction, and nobody without one", async () => {
    await fill(payment(0));
    await world.place("outsider", { positionName: "Banker" });
    expect((await show("outsider")).requests).toEqual([]);
    await expect(show("loner")).rejects.toThrow("no faction");
  });
});

test("as a file it has a line for each request that its reader may see, and no name in it is a formula", async () => {
  await fill(
    payment(0, { amount: 2_000_000 }),
    payment(0, { playerId: banker, currency: "points_balance" }),
  );
  const file = async (role: keyof typeof people) => {
    const requests = await listLedgerEntries(ctx, people[role], everything);
    return parse<Record<string, string>>(ledgerCsv(requests), { columns: true });
  };
  expect(await file("member")).toEqual([
    expect.objectContaining({
      member_id: String(member),
      amount: "2000000",
      currency: "money",
      outcome: "verified",
    }),
  ]);
  expect((await file("banker")).map(({ currency }) => currency)).toEqual(["points", "money"]);
  const [request] = (await show("banker")).requests;
  if (!request) throw new Error("No request is listed.");
  for (const name of ["=1+1", "=1+1\nx", " =1+1", "＝1+1", "@a", "+1", "-1"])
    expect(ledgerCsv([{ ...request, requester: { playerId: 1, name } }])).toContain(`"'${name}"`);
  expect(ledgerCsv([])).toMatch(/^request_id,member_id,/);
});
