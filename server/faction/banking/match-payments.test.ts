import { expect, test } from "vitest";
import type { VaultRequest } from "./vault-request";
import { matchPayments, type Payment } from "./verify-payments";

const at = (time: string) => new Date(`2026-03-01T${time}Z`);
const request = (fields: Partial<VaultRequest> = {}): VaultRequest => ({
  ...{
    id: 1,
    guid: "",
    factionId: 7001,
    playerId: 1003,
    amount: 500,
    currency: "money_balance",
    channelId: null,
  },
  ...{
    status: "fulfilled",
    verification: "waiting",
    closedBy: 1002,
    reason: null,
    claimedBy: null,
    claimedUntil: null,
    expiresAt: null,
  },
  ...{ requestedAt: at("12:00:00.700"), closedAt: at("12:05:00") },
  ...fields,
});
const payment = (fields: Partial<Payment> = {}): Payment => ({
  ...{
    newsId: "n1",
    to: 1003,
    by: 1002,
    amount: 500,
    currency: "money_balance",
    at: at("12:04:00"),
  },
  ...fields,
});
const pairs = (requests: VaultRequest[], payments: Payment[]) =>
  [...matchPayments(requests, payments)].map(([{ id }, { newsId }]) => [id, newsId]).sort();

test.each<[string, Partial<Payment>, boolean]>([
  ["in the second of the request", { at: at("12:00:00") }, true],
  ["before the request", { at: at("11:59:59") }, false],
  ["after it was marked", { at: at("12:14:59") }, true],
  ["at the end of the search", { at: at("12:15:00") }, true],
  ["after the end of the search", { at: at("12:15:01") }, false],
  ["by another banker", { by: 1001 }, true],
  ["to somebody else", { to: 1004 }, false],
  ["of another amount", { amount: 501 }, false],
  ["of another kind", { currency: "points_balance" }, false],
])("a payment %s proves the request: %j %s", (_, fields, proves) => {
  expect(pairs([request()], [payment(fields)])).toEqual(proves ? [[1, "n1"]] : []);
});

test("§7 row 51: one line of the news proves one request, never two", () => {
  expect(pairs([request(), request({ id: 2 })], [payment()])).toEqual([[1, "n1"]]);
  expect(
    pairs([request(), request({ id: 2 })], [payment(), payment({ newsId: "n2" })]),
  ).toHaveLength(2);
});

test("as many requests as possible are proved, whatever the order of the lines", () => {
  const early = request({ id: 1, closedAt: at("12:05:00") });
  const late = request({ id: 2, closedAt: at("12:20:00") });
  const lines = [
    payment({ newsId: "n2", at: at("12:20:00") }),
    payment({ newsId: "n1", at: at("12:06:00") }),
  ];
  for (const requests of [
    [early, late],
    [late, early],
  ])
    expect(pairs(requests, lines)).toEqual([
      [1, "n1"],
      [2, "n2"],
    ]);
});
