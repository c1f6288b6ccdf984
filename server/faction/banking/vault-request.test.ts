import { expect, test } from "vitest";
import { readRequestIdentifier } from "./contract";
import { requestAsOf, type VaultRequest } from "./vault-request";

const guid = "7c1f3f0e-2b64-4c5a-9d0e-5f3a8d6b1c22";

test.each([
  ["12", { id: 12 }],
  ["2147483647", { id: 2_147_483_647 }],
  [guid, { guid }],
  [guid.toUpperCase(), { guid }],
])("FZ-12: %j names a request", (text, name) => {
  expect(readRequestIdentifier(text)).toEqual(name);
});

test.each([
  ..."0 -1 +1 01 1.0 1e1 0x1 2147483648 99999999999 9007199254740993 text null true vault".split(
    " ",
  ),
  ...[
    "",
    " 1",
    "1 ",
    "1\n",
    "１２",
    `{${guid}}`,
    `${guid}0`,
    guid.replaceAll("-", ""),
    guid.replace("7", "g"),
    "٣",
    "💸",
  ],
])("FZ-12: %j names none", (text) => {
  expect(readRequestIdentifier(text)).toBeUndefined();
});

const request: VaultRequest = {
  ...{
    id: 1,
    guid,
    factionId: 7001,
    playerId: 1003,
    amount: 5,
    currency: "money_balance",
    channelId: null,
  },
  ...{
    status: "pending",
    verification: null,
    closedAt: null,
    closedBy: null,
    reason: null,
    claimedBy: null,
    claimedUntil: null,
  },
  requestedAt: new Date("2026-03-01T12:00:00Z"),
  expiresAt: new Date("2026-03-01T12:30:00Z"),
};
const at = (time: string) => new Date(`2026-03-01T${time}Z`);

test("a request counts as cancelled from the very moment its time is over, and not a millisecond before", () => {
  expect(requestAsOf(request, at("12:29:59.999"))).toBe(request);
  const closed = { status: "cancelled", closedAt: request.expiresAt, closedBy: null };
  expect(requestAsOf(request, at("12:30:00"))).toEqual({ ...request, ...closed });
});

test("what was closed in time, or never ends, stays as it is", () => {
  const fulfilled: VaultRequest = {
    ...request,
    status: "fulfilled",
    closedAt: at("12:10:00"),
    closedBy: 1002,
  };
  const endless = { ...request, expiresAt: null };
  expect(requestAsOf(fulfilled, at("13:00:00"))).toBe(fulfilled);
  expect(requestAsOf(endless, at("13:00:00"))).toBe(endless);
});
