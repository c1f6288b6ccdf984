import { and, count, eq, inArray, sum } from "drizzle-orm";
import { afterAll, beforeEach, expect, test } from "vitest";
import { openPostgres } from "#db/client";
import { notices } from "#db/schema/accounts";
import { chatMessages } from "#db/schema/chat";
import { vaultRequests } from "#db/schema/faction";
import { auditLog } from "#db/schema/operations";
import { isFailure } from "#server/failures";
import { createRunner } from "#server/jobs/runner";
import { bankingChannel, bankingWorld, lanternwatch } from "#server/testing/banking-world";
import { patientDeadline, testPostgresUrl } from "#server/testing/database";
import { livedTime } from "#server/testing/lived-time";
import { testContext } from "#server/testing/test-context";
import {
  cancelRequest,
  expireDueRequests,
  expireVaultRequestsJob,
  fulfilRequest,
  requestWithdrawal,
} from "./request-acts";

const url = await testPostgresUrl();
const databases = Array.from({ length: 4 }, () => openPostgres({ url, deadline: patientDeadline }));
const [first] = databases;
if (!first) throw new Error("No database was opened.");
const world = await bankingWorld(first);
const { clock, simulator, people, ask } = world;
const others = await Promise.all(
  databases.slice(1).map((database) => testContext({ database, beside: world })),
);
/** Four instances of the service on one database. */
const instances = [world.ctx, ...others.map(({ ctx }) => ctx)];
const on = first.query;
const instance = (n: number) => instances[n % instances.length] ?? world.ctx;
afterAll(async () => {
  await Promise.all(instances.map((ctx) => ctx.settled()));
  await Promise.all(databases.map((database) => database.close()));
});

const events = async (act: string) =>
  (await on.select({ n: count() }).from(auditLog).where(eq(auditLog.act, act)))[0]?.n ?? 0;
/** "done", or the code of the failure. */
const outcome = (attempt: Promise<unknown>) =>
  attempt.then(
    () => "done",
    (thrown: unknown) => (isFailure(thrown) ? thrown.kind.code : String(thrown)),
  );
const counted = (outcomes: readonly unknown[]) => ({
  done: outcomes.filter((one) => one === "done").length,
  others: [...new Set(outcomes.filter((one) => one !== "done"))],
});

beforeEach(async () => {
  await Promise.all(instances.map((ctx) => ctx.settled()));
  for (const table of [vaultRequests, chatMessages, auditLog, notices]) await on.delete(table);
  world.nextMinute();
  simulator.control.setBalance({
    factionId: lanternwatch,
    playerId: people.member.playerId,
    money: 1_000_000,
    points: 100,
  });
});

test("ID-06: of 20 parallel cancels one wins, the others are told that it is over, and one event is written", async () => {
  const { id } = await ask();
  const attempts = Array.from({ length: 20 }, (_, n) =>
    outcome(
      cancelRequest(instance(n), n % 3 === 0 ? people.banker : people.member, {
        factionId: lanternwatch,
        request: String(id),
      }),
    ),
  );
  expect(counted(await Promise.all(attempts))).toEqual({ done: 1, others: [1601] });
  expect(await events("vault_request.cancelled")).toBe(1);
});

test("ID-06: of a cancel and a fulfilment at the same moment one wins, over and over", async () => {
  for (let round = 0; round < 20; round++) {
    // A payment asks for a new reading of the vault, and a member may cause a few a minute.
    world.nextMinute();
    const { id, guid } = await ask({ amount: 1 });
    const cancelling = () =>
      outcome(
        cancelRequest(instance(round), people.member, {
          factionId: lanternwatch,
          request: String(id),
        }),
      );
    const fulfilling = () =>
      outcome(fulfilRequest(instance(round + 1), people.banker, { request: guid }));
    const attempts = round % 2 === 0 ? [cancelling(), fulfilling()] : [fulfilling(), cancelling()];
    expect(counted(await Promise.all(attempts))).toEqual({ done: 1, others: [1601] });
  }
  expect(
    (await events("vault_request.cancelled")) + (await events("vault_request.fulfilled")),
  ).toBe(20);
}, 30_000);

test("§7 row 42: fifty parallel requests of one balance never overdraw it, on however many instances", async () => {
  const attempts = Array.from({ length: 50 }, (_, n) =>
    outcome(
      requestWithdrawal(instance(n), people.member, {
        ...{ factionId: lanternwatch, amount: 90_000, currency: "money_balance", expiresAt: null },
      }),
    ),
  );
  expect(counted(await Promise.all(attempts))).toEqual({ done: 11, others: [1602] });
  const [held] = await on.select({ sum: sum(vaultRequests.amount) }).from(vaultRequests);
  expect(Number(held?.sum)).toBe(990_000);
});

test("of parallel requests for all one is made", async () => {
  const attempts = Array.from({ length: 20 }, (_, n) =>
    outcome(
      requestWithdrawal(instance(n), people.member, {
        ...{ factionId: lanternwatch, amount: "all", currency: "points_balance", expiresAt: null },
      }),
    ),
  );
  expect(counted(await Promise.all(attempts))).toEqual({ done: 1, others: [1602] });
});

test("requests of two kinds, and of two members, do not wait for each other's balance", async () => {
  const requested = { factionId: lanternwatch, expiresAt: null } as const;
  const attempts = Array.from({ length: 10 }, (_, n) =>
    outcome(
      requestWithdrawal(instance(n), n % 2 === 0 ? people.member : people.banker, {
        ...requested,
        ...(n % 4 < 2
          ? { amount: 100_000, currency: "money_balance" }
          : { amount: 10, currency: "points_balance" }),
      }),
    ),
  );
  expect(counted(await Promise.all(attempts)).done).toBe(10);
});

test("a process that dies in the middle of a transition leaves nothing of it: neither state nor card nor word", async () => {
  const { id, guid } = await ask();
  const [before] = await on
    .select()
    .from(chatMessages)
    .where(eq(chatMessages.subject, `vault-request:${id}`));
  const dying = {
    ...world.ctx,
    notify: async () => {
      throw new Error("the connection is gone");
    },
  };
  expect(await outcome(fulfilRequest(dying, people.banker, { request: guid }))).toContain("gone");
  const [row] = await on.select().from(vaultRequests).where(eq(vaultRequests.id, id));
  const [card] = await on
    .select()
    .from(chatMessages)
    .where(eq(chatMessages.subject, `vault-request:${id}`));
  expect([row?.status, card?.version, await events("vault_request.fulfilled")]).toEqual([
    "pending",
    before?.version,
    0,
  ]);
  expect(await outcome(fulfilRequest(world.ctx, people.banker, { request: guid }))).toBe("done");
});

/** A thousand requests that end in the same second, and one that ends later. */
async function thousand() {
  const now = clock.now().getTime();
  const expiresAt = new Date(now + 10_000);
  const row = (ends: Date) => ({
    ...{
      guid: world.ctx.ids.uuid(),
      factionId: lanternwatch,
      playerId: people.member.playerId,
      amount: 1,
    },
    ...{
      currency: "money_balance" as const,
      status: "pending" as const,
      requestedAt: new Date(now),
    },
    ...{ expiresAt: ends, channelId: bankingChannel },
  });
  await on.insert(vaultRequests).values(Array.from({ length: 1_000 }, () => row(expiresAt)));
  await on.insert(vaultRequests).values(row(new Date(expiresAt.getTime() + 1)));
  return expiresAt;
}
const withStatus = async (status: "pending" | "cancelled") =>
  (await on.select({ n: count() }).from(vaultRequests).where(eq(vaultRequests.status, status)))[0]
    ?.n;

test("RE-50: of 4 workers and 1,000 requests that end in one second, each is cancelled once, none early, all within 5 s", async () => {
  const expiresAt = await thousand();
  const runners = instances.map((ctx) => createRunner(ctx, [expireVaultRequestsJob]));
  const tick = async () => {
    await Promise.all(runners.map((runner) => runner.look()));
    await Promise.all(runners.map((runner) => runner.idle()));
  };
  clock.set(new Date(expiresAt.getTime() - 1));
  await tick();
  expect(await withStatus("cancelled")).toBe(0);

  const started = livedTime();
  // A slot comes every three seconds, and every worker looks for one each second.
  for (let second = 0; second < 4; second++) {
    clock.set(new Date(expiresAt.getTime() + second * 1_000));
    if (second === 0) expect(await withStatus("pending")).toBe(1_001);
    await tick();
  }
  const working = started();
  expect(await withStatus("pending")).toBe(0);
  expect(await events("vault_request.expired")).toBe(1_001);
  const [told] = await on.select({ n: count() }).from(notices);
  expect(told?.n).toBe(1_001);
  const closed = and(eq(vaultRequests.closedAt, expiresAt), eq(vaultRequests.status, "cancelled"));
  expect((await on.select({ n: count() }).from(vaultRequests).where(closed))[0]?.n).toBe(1_000);
  expect(working).toBeLessThan(5_000);
}, 30_000);

test("RE-50: also where four workers sweep at the very same moment", async () => {
  const expiresAt = await thousand();
  clock.set(expiresAt);
  const never = new AbortController().signal;
  const counts = await Promise.all(instances.map((ctx) => expireDueRequests(ctx, never)));
  expect(counts.reduce((all, { expired }) => all + expired, 0)).toBe(1_000);
  expect(await events("vault_request.expired")).toBe(1_000);
}, 30_000);

test("a request that is fulfilled while it expires has one end", async () => {
  const expiresAt = new Date(clock.now().getTime() + 1_000);
  const requests = await Promise.all(
    Array.from({ length: 20 }, () => ask({ amount: 1, expiresAt })),
  );
  clock.set(new Date(expiresAt.getTime() - 1));
  const fulfilling = requests.map(({ guid }, n) =>
    outcome(fulfilRequest(instance(n), people.banker, { request: guid })),
  );
  clock.set(expiresAt);
  await Promise.all([...fulfilling, expireDueRequests(instance(3), new AbortController().signal)]);
  const ids = requests.map(({ id }) => id);
  const rows = await on.select().from(vaultRequests).where(inArray(vaultRequests.id, ids));
  const paid = await events("vault_request.fulfilled");
  expect(rows.filter(({ status }) => status === "fulfilled")).toHaveLength(paid);
  expect(paid + (await events("vault_request.expired"))).toBe(20);
});

test("a form that is sent twice at one moment makes one request; sent again with another amount, a second", async () => {
  const key = "7b1f3a52-6a0e-4cc3-8a51-3f1c7e5a2b10";
  const send = (n: number, amount: number) =>
    requestWithdrawal(instance(n), people.member, {
      ...{ factionId: lanternwatch, amount, currency: "money_balance", expiresAt: null, key },
    });
  const guids = (await Promise.all([0, 1, 2, 3].map((n) => send(n, 250_000)))).map(
    ({ guid }) => guid,
  );
  expect(new Set(guids).size).toBe(1);
  expect((await send(0, 100_000)).guid).not.toBe(guids[0]);
  expect(await on.$count(vaultRequests)).toBe(2);
  expect(await events("vault_request.created")).toBe(2);
});
