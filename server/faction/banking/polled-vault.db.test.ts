import { beforeEach, expect, test } from "vitest";
import { gameBudgets } from "#db/schema/operations";
import { chargeCall, readBudgetUse } from "#server/game/budget";
import { bankingWorld, lanternwatch } from "#server/testing/banking-world";
import { testDatabase } from "#server/testing/database";
import { readAttacksJob, readCrimesJob, refreshMembersJob } from "../read-factions";
import { vaultReadingCache } from "./read-vault-balance";
import { fulfilRequest } from "./request-acts";

const world = await bankingWorld(await testDatabase());
const { ctx, api, clock, people, simulator } = world;
const path = "/faction/banking/vault";
const requests = `/faction/${lanternwatch}/banking`;
const work = { budget: 60, signal: new AbortController().signal };
const callsMade = async () => (await readBudgetUse(ctx)).calls;

beforeEach(async () => {
  world.nextMinute();
  vaultReadingCache(ctx).clear();
  await world.forgetRequests();
  await ctx.database.query.delete(gameBudgets);
  simulator.control.setBalance({
    factionId: lanternwatch,
    playerId: people.member.playerId,
    money: 1_000,
    points: 1,
  });
});

const pollFor = async (seconds: number, calls: number) => {
  const answers = [];
  for (let call = 0; call < calls; call++) {
    answers.push(await api("member", path));
    clock.advance(seconds / calls);
  }
  return answers;
};

test("53 readings of one member within three seconds cost the faction's keys two calls", async () => {
  const answers = await pollFor(3, 53);
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(53);
  expect(await callsMade()).toBe(2);
});

test("a member who polls the vault for a minute gets 429 with a time, and nobody else notices", async () => {
  await refreshMembersJob.run(ctx, work);
  const before = await callsMade();
  const answers = await pollFor(40, 80);
  const refused = answers.filter(({ status }) => status !== 200);
  expect(refused.length).toBeGreaterThan(0);
  for (const { status, json, headers } of refused) {
    expect([status, json]).toMatchObject([
      429,
      { code: 4000, details: { policy: "vault-reads", limit: 6 } },
    ]);
    expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
  }
  expect((await callsMade()) - before).toBe(6);
  expect((await api("banker", path)).status).toBe(200);
  expect(await readAttacksJob.run(ctx, work)).toMatchObject({ factions: 1, skipped: 0 });
  expect(await readCrimesJob.run(ctx, work)).toMatchObject({ factions: 1, skipped: 0 });
  expect((await readBudgetUse(ctx)).spent).toBe(0);
  world.nextMinute();
  expect((await api("member", path)).status).toBe(200);
});

test("fifty members' readings at one moment are one call to the game", async () => {
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, n) =>
      api(["member", "banker", "developer"][n % 3] ?? "member", path),
    ),
  );
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(50);
  expect(await callsMade()).toBe(1);
});

test("keys whose calls are spent are told apart from a game that is away", async () => {
  for (const { playerId } of [people.developer, people.banker])
    for (let call = 0; call < 60; call++) await chargeCall(ctx, playerId, "user");
  const spent = await api("member", path);
  expect(spent).toMatchObject({
    status: 503,
    json: { code: 4101, details: { reason: "key_budget" } },
  });
  expect((spent.json as { message: string }).message).toContain("used up");
  expect(Number(spent.headers.get("retry-after"))).toBeGreaterThan(0);
  world.nextMinute();
  await ctx.database.query.delete(gameBudgets);
  simulator.control.addFault({ path: "faction", code: 17 });
  const away = await api("member", path);
  expect(away).toMatchObject({
    status: 503,
    json: { code: 4101, message: "The game's API is not available." },
  });
  expect(Number(away.headers.get("retry-after"))).toBeGreaterThan(0);
});

test("a balance that had just been paid, be it on another instance, is read again and cannot be asked for again", async () => {
  const { guid } = await world.ask({ amount: 1_000 });
  expect((await api("member", path)).json).toMatchObject({ money_balance: 1_000 });
  const { playerId } = people.member;
  simulator.control.giveFunds({
    factionId: lanternwatch,
    by: people.banker.playerId,
    to: playerId,
    money: 1_000,
  });
  clock.advance(0.5);
  await fulfilRequest({ ...ctx, memory: new Map() }, people.banker, { request: guid });
  expect((await api("member", path)).json).toMatchObject({ money_balance: 0 });
  await expect(world.ask({ amount: 1_000 })).rejects.toMatchObject({ kind: { code: 1602 } });
});

test("a reading that failed is shared by those who waited for it, and by nobody after them", async () => {
  // Both have asked before the game answers.
  simulator.control.addFault({ path: "faction", code: 17, delayMs: 2_000 });
  expect(
    (await Promise.all([api("member", path), api("banker", path)])).map(({ status }) => status),
  ).toEqual([503, 503]);
  expect((await api("member", path)).status).toBe(200);
});

test.each([
  ["fails", { code: 17 }],
  ["answers nonsense", { malformed: true }],
  ["closes the front door", { cloudflare: true }],
])("a member does not pay for readings while the game %s", async (_, fault) => {
  for (let call = 0; call < 20; call++) {
    simulator.control.addFault({ path: "faction", ...fault });
    expect((await api("member", path)).status).toBeGreaterThanOrEqual(502);
    clock.advance(0.5);
  }
  simulator.control.clearFaults();
  clock.advance(35);
  expect((await pollFor(15, 5)).map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
});

test("a refusal for too many readings is no answer that an Idempotency-Key keeps", async () => {
  await pollFor(30, 15);
  const create = () =>
    api("member", requests, {
      ...{ method: "POST", headers: { "idempotency-key": "once" } },
      body: { amount: 10, type: "money_balance" },
    });
  expect((await create()).status).toBe(429);
  world.nextMinute();
  expect((await create()).status).toBe(200);
});
