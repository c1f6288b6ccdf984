import { beforeEach, expect, test } from "vitest";
import { vaultReadings } from "#db/schema/faction";
import { bankingWorld, lanternwatch } from "#server/testing/banking-world";
import { testDatabase } from "#server/testing/database";
import { showPendingVaultRequests } from "../show-board";
import { readVaultBalance } from "./read-vault-balance";
import { showBanking, showMemberBalances } from "./show-banking";

const world = await bankingWorld(await testDatabase());
const { ctx, clock, simulator, people, ask, place, position } = world;
const balanceOf = async (role: keyof typeof people) =>
  (await showBanking(ctx, people[role]))?.balance ?? null;

beforeEach(async () => {
  await world.forgetRequests();
  await ctx.database.query.delete(vaultReadings);
  world.nextMinute();
  simulator.control.setBalance({
    factionId: lanternwatch,
    playerId: people.member.playerId,
    ...{ money: 7_350_000, points: 420 },
  });
});

test("a balance is shown at once as it was last read by any member, with the time of the reading, and without a call to the game", async () => {
  expect(await balanceOf("member")).toBeNull();
  const readAt = clock.now();
  await readVaultBalance(ctx, people.banker);
  clock.advance(3_600);
  simulator.control.addFault({ code: 17, times: 99 });
  expect(await balanceOf("member")).toEqual({
    readAt,
    holdings: {
      money_balance: { balance: 7_350_000, spokenFor: 0 },
      points_balance: { balance: 420, spokenFor: 0 },
    },
  });
});

test("pending requests count against the shown balance", async () => {
  await ask({ amount: 1_000_000 });
  expect((await balanceOf("member"))?.holdings.money_balance).toEqual({
    ...{ balance: 7_350_000, spokenFor: 1_000_000 },
  });
});

test("all balances are shown to members that may pay out, each in the currencies of their position, of their own faction", async () => {
  await readVaultBalance(ctx, people.member);
  const own = async (role: keyof typeof people) =>
    (await showMemberBalances(ctx, people[role]))?.members.find(
      ({ player }) => player.playerId === people.member.playerId,
    )?.balances;
  expect(await own("banker")).toEqual({ money_balance: 7_350_000, points_balance: 420 });
  await position(lanternwatch, "Payer", ["Points Giving"]);
  await place("banker", { positionName: "Payer" });
  expect(await own("banker")).toEqual({ points_balance: 420 });
  await place("banker", { positionName: "Officer" });
  expect(await showMemberBalances(ctx, people.banker)).toBeNull();
  await place("banker", { positionName: "Banker" });
  expect(await showMemberBalances(ctx, people.member)).toBeNull();
  expect(await showMemberBalances(ctx, people.loner)).toBeNull();
  await place("outsider", { positionName: "Banker" });
  expect((await showMemberBalances(ctx, people.outsider))?.members).toEqual([]);
});

test("a queue is filtered by currency and by a part of the member's name; its totals are of all requests", async () => {
  await ask({ amount: 100 });
  await ask({ amount: 3, currency: "points_balance" });
  const fitting = async (filter: Parameters<typeof showBanking>[2]) =>
    (await showBanking(ctx, people.banker, filter))?.queue;
  expect(await fitting({ currency: "points_balance" })).toMatchObject({
    ...{ fitting: 1, waiting: 2, totals: { money_balance: 100, points_balance: 3 } },
    requests: [{ amount: 3 }],
  });
  const [first] = (await fitting({}))?.requests ?? [];
  const name = first?.requester.name.slice(1, 4).toUpperCase();
  expect((await fitting({ member: name }))?.fitting).toBe(2);
  expect((await fitting({ member: "no such member" }))?.requests).toEqual([]);
});

test("the board shows the five oldest requests and how many there are", async () => {
  const asked = [];
  for (let amount = 1; amount <= 7; amount++) asked.push((await ask({ amount })).id);
  const vault = await showPendingVaultRequests(ctx, people.banker);
  expect(vault?.waiting.map(({ id }) => id)).toEqual(asked.slice(0, 5));
  expect(vault?.count).toBe(7);
});
