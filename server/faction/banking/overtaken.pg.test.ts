import { inArray } from "drizzle-orm";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { openPostgres } from "#db/client";
import { notices } from "#db/schema/accounts";
import { chatMessages } from "#db/schema/chat";
import { vaultRequests } from "#db/schema/faction";
import { auditLog } from "#db/schema/operations";
import type { Context } from "#server/context";
import { isFailure } from "#server/failures";
import { routes } from "#server/routes";
import {
  bankingServer,
  bankingWorld,
  copperTide,
  lanternwatch,
} from "#server/testing/banking-world";
import { testPostgresUrl } from "#server/testing/database";
import { dispatchWorld } from "#server/testing/dispatch-world";
import { testContext } from "#server/testing/test-context";
import { cancelRequest, expireDueRequests, fulfilRequest, requestWithdrawal } from "./request-acts";
import { showForFulfilment } from "./show-banking";

/** Concurrent changes on two instances with one database. */
const url = await testPostgresUrl();
const [one, two] = [openPostgres({ url }), openPostgres({ url })];
const world = await bankingWorld(one);
const { ctx: first, clock, simulator, people, ask } = world;
const { ctx: second } = await testContext({ database: two, beside: world });
const on = one.query;
afterAll(async () => {
  await Promise.all([first.settled(), second.settled()]);
  await Promise.all([one.close(), two.close()]);
});

/** "done", or the code of the failure. */
const outcome = (attempt: Promise<unknown>) =>
  attempt.then(
    () => "done",
    (thrown: unknown) => (isFailure(thrown) ? thrown.kind.code : String(thrown)),
  );
const stored = async () =>
  (await world.stored()).map(({ status, closedBy }) => ({ status, closedBy }));
const endings = [
  "vault_request.cancelled",
  "vault_request.fulfilled",
  "vault_request.expired",
] as const;

beforeEach(async () => {
  await Promise.all([first.settled(), second.settled()]);
  for (const table of [vaultRequests, chatMessages, auditLog, notices]) await on.delete(table);
  await world.link(lanternwatch, bankingServer);
  await world.place("member", { factionId: lanternwatch, positionName: "Member" });
  await world.place("banker", { factionId: lanternwatch, positionName: "Banker" });
  world.nextMinute();
  const { playerId } = people.member;
  simulator.control.setBalance({
    factionId: lanternwatch,
    playerId,
    money: 1_000_000,
    points: 100,
  });
});

test("ID-06: of a cancel, a fulfilment and the end of its time at one instant one wins: one event, one word to the member", async () => {
  for (let round = 0; round < 15; round++) {
    for (const table of [vaultRequests, auditLog, notices]) await on.delete(table);
    const end = new Date(clock.now().getTime() + 1_000);
    const { id, guid } = await ask({ amount: 1, expiresAt: end });
    // The sweeper's clock says that it is over; the others' is a millisecond behind.
    const late = (ctx: Context, behind: number): Context => ({
      ...ctx,
      now: () => new Date(end.getTime() - behind),
    });
    const attempts = [
      () =>
        outcome(
          cancelRequest(late(first, 1), people.banker, {
            factionId: lanternwatch,
            request: String(id),
          }),
        ),
      () => outcome(fulfilRequest(late(second, 1), people.banker, { request: guid })),
      () =>
        expireDueRequests(late(round % 2 ? first : second, 0), new AbortController().signal).then(
          ({ expired }) => expired,
        ),
    ];
    const [a, b, c] = [0, 1, 2].map((n) => attempts[(n + round) % 3]);
    const ended = await Promise.all([a?.(), b?.(), c?.()]);
    expect(ended.filter((one) => one === "done" || one === 1)).toHaveLength(1);
    expect(ended.filter((one) => one === 1601 || one === 0)).toHaveLength(2);
    expect(await on.select().from(auditLog).where(inArray(auditLog.act, endings))).toHaveLength(1);
    expect(await on.select().from(notices)).toHaveLength(1);
    expect((await stored())[0]?.status).not.toBe("pending");
  }
}, 30_000);

test("fifty calls with one Idempotency-Key on two instances make one request, and everybody who comes back gets it", async () => {
  const wires = [first, second].map((ctx) => dispatchWorld(ctx, routes));
  const { accountId, playerId } = people.member;
  const holder = { accountId, playerId, scopes: ["faction:banking"] as const };
  for (const wire of wires) wire.know("member", holder);
  const create = (n: number) =>
    (wires[n % 2] ?? world.wire).call(`/api/v1/faction/${lanternwatch}/banking`, {
      ...{ method: "POST", token: "member", headers: { "idempotency-key": "fifty" } },
      body: { amount: 400_000, type: "money_balance" },
    });
  const answers = await Promise.all(Array.from({ length: 50 }, (_, n) => create(n)));
  for (const answer of answers)
    expect([answer.status, (answer.json as { code?: number }).code]).toEqual(
      answer.status === 200 ? [200, undefined] : [409, 1700],
    );
  expect(await stored()).toHaveLength(1);
  const again = await Promise.all([create(0), create(1)]);
  const made = answers.find((answer) => answer.status === 200);
  for (const answer of again) expect([answer.status, answer.text]).toEqual([200, made?.text]);
  expect(await stored()).toHaveLength(1);
});

describe("while the game is asked for the balance", () => {
  /** An instance with a slow game; the change happens during the call. */
  const meanwhile = (change: () => Promise<void>): Context => ({
    ...first,
    game: {
      ...first.game,
      factionBalance: async (key) => {
        const answer = await first.game.factionBalance(key);
        await change();
        return answer;
      },
    },
  });
  const requested = {
    factionId: lanternwatch,
    amount: 1,
    currency: "money_balance",
    expiresAt: null,
  } as const;
  const nothingMade = async () => {
    expect(await stored()).toEqual([]);
    expect(await on.select().from(chatMessages)).toEqual([]);
  };

  test.each([
    ["the member leaves the faction", () => world.place("member", { factionId: null }), 1102],
    [
      "the member goes to another faction",
      () => world.place("member", { factionId: copperTide }),
      4022,
    ],
    ["the link to the chat server is removed", () => world.link(lanternwatch, null), 1001],
  ] as const)("%s: no request is made", async (_, change, code) => {
    expect(await outcome(requestWithdrawal(meanwhile(change), people.member, requested))).toBe(
      code,
    );
    await nothingMade();
  });

  test("the request's time runs out: none is made that is over before it begins", async () => {
    const expiresAt = new Date(first.now().getTime() + 3_000);
    const later = meanwhile(async () => void clock.advance(3));
    expect(
      await outcome(requestWithdrawal(later, people.member, { ...requested, expiresAt })),
    ).toBe(1000);
    await nothingMade();
  });
});

describe("between the fulfilment page and its form", () => {
  test.each([
    ["the banker loses the position", { positionName: "Member" }, 4007],
    ["the banker leaves", { factionId: null }, 1102],
    [
      "the banker goes to another faction, to a position of the same name",
      { factionId: copperTide },
      1600,
    ],
  ] as const)("%s: nothing is marked as paid", async (_, change, code) => {
    const { guid } = await ask();
    await showForFulfilment(first, people.banker, guid);
    await world.place("banker", change);
    expect(await outcome(fulfilRequest(second, people.banker, { request: guid }))).toBe(code);
    expect(await stored()).toEqual([{ status: "pending", closedBy: null }]);
  });
});
