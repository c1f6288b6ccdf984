import { describe, expect, test } from "vitest";
import {
  requestCard,
  requestDirectMessage,
  textForRequester,
  viewRequest,
} from "./describe-request";
import type { VaultRequest } from "./vault-request";

const requester = { playerId: 1003, name: "Cleo_Marsh" };
const banker = { playerId: 1002, name: "Bruno_Vault" };
const closedAt = new Date("2026-03-01T12:20:00Z");
const request: VaultRequest = {
  ...{
    id: 12,
    guid: "7c1f3f0e-2b64-4c5a-9d0e-5f3a8d6b1c22",
    factionId: 7001,
    playerId: 1003,
    channelId: 5n,
  },
  ...{ amount: 2_500_000, currency: "money_balance", status: "pending", verification: null },
  ...{ closedAt: null, closedBy: null, reason: null, claimedBy: null, claimedUntil: null },
  requestedAt: new Date("2026-03-01T12:00:00Z"),
  expiresAt: new Date("2026-03-01T12:30:00Z"),
};
const links = {
  baseUrl: "https://adjutant.test",
  vaultPaymentUrl: "https://game.test/vault",
  mentions: [90_071_992_547_409_931n],
};
const now = new Date("2026-03-01T12:05:00Z");
const view = (fields: Partial<VaultRequest> = {}, at = now) =>
  viewRequest(
    { ...request, ...fields },
    (playerId) => (playerId === requester.playerId ? requester : banker),
    at,
  );
const card = (fields: Partial<VaultRequest> = {}, at = now) => requestCard(view(fields, at), links);

const closings: [string, Partial<VaultRequest>, string, string][] = [
  [
    "paid",
    { status: "fulfilled", verification: "waiting", closedAt, closedBy: 1002 },
    "good",
    "Bruno_Vault [1002] paid",
  ],
  [
    "verified",
    { status: "fulfilled", verification: "verified", closedAt, closedBy: 1002 },
    "good",
    "news shows it",
  ],
  [
    "unverified",
    { status: "fulfilled", verification: "unverified", closedAt, closedBy: 1002 },
    "warning",
    "does not show it",
  ],
  [
    "cancelled",
    { status: "cancelled", closedAt, closedBy: 1002 },
    "error",
    "Bruno_Vault [1002] cancelled",
  ],
  [
    "cancelled by its requester",
    { status: "cancelled", closedAt, closedBy: 1003 },
    "error",
    "Cleo_Marsh [1003] cancelled their request for",
  ],
  ["timed out", { status: "cancelled", closedAt: request.expiresAt }, "error", "in time"],
  ["left behind", { status: "cancelled", closedAt }, "error", "left the faction"],
];

describe("the card of a pending request", () => {
  test("says number, who, how much with separators, and until when", () => {
    expect(card()).toMatchObject({
      mentions: ["90071992547409931"],
      card: {
        title: "Vault request #12: waiting",
        body: "Cleo_Marsh [1003] requests $2,500,000.",
        tone: "info",
        fields: [{ name: "Expires", value: "2026-03-01 12:30 TCT" }],
      },
    });
  });

  test("has five buttons: the game's vault, the fulfilment page, claim, fulfil and cancel", () => {
    expect(card().buttons).toEqual([
      { label: "Open the vault", url: "https://game.test/vault" },
      {
        label: "Fulfilment page",
        url: `https://adjutant.test/faction/banking/fulfill/${request.guid}`,
      },
      { label: "Claim", action: "vault:claim:12" },
      { label: "Fulfil", action: "vault:fulfill:12", tone: "good" },
      { label: "Cancel", action: "vault:cancel:12", tone: "error" },
    ]);
  });

  test("names the banker that is paying it, and until when", () => {
    const claimed = { claimedBy: 1002, claimedUntil: new Date("2026-03-01T12:10:00Z") };
    expect(card(claimed).card?.fields).toContainEqual({
      name: "Being paid",
      value: "By Bruno_Vault [1002] until 2026-03-01 12:10 TCT",
    });
    expect(card(claimed, claimed.claimedUntil).card?.fields).toEqual([
      { name: "Expires", value: "2026-03-01 12:30 TCT" },
    ]);
  });

  test("leads to no page of a game that is simulated", () => {
    const inDemo = requestCard(view(), { ...links, vaultPaymentUrl: null });
    expect(inDemo.buttons?.map(({ label }) => label)).toEqual([
      "Fulfilment page",
      "Claim",
      "Fulfil",
      "Cancel",
    ]);
  });

  test.each<[Date | null, string]>([
    [null, "Never"],
    [new Date("2026-03-09T06:05:59Z"), "2026-03-09 06:05 TCT"],
  ])("§7 row 50: the text says the true end (%s), not always an hour", (expiresAt, words) => {
    expect(card({ expiresAt }).card?.fields).toEqual([{ name: "Expires", value: words }]);
  });

  test("counts points as points", () => {
    expect(card({ currency: "points_balance", amount: 1_500 }).card?.body).toBe(
      "Cleo_Marsh [1003] requests 1,500 points.",
    );
    expect(card({ currency: "points_balance", amount: 1 }).card?.body).toContain("1 point.");
  });
});

describe.each(closings)("the card of a request that is %s", (_, fields, tone, words) => {
  test("is coloured, and says what happened to whose request", () => {
    const message = card(fields);
    expect(message.card?.tone).toBe(tone);
    expect(message.card?.body).toContain(words);
    expect(message.card?.body).toContain("Cleo_Marsh [1003]");
  });

  test("§7 row 49: keeps no buttons, and mentions nobody again", () => {
    const message = card(fields);
    expect(message.buttons).toBeUndefined();
    expect(message.mentions).toBeUndefined();
  });

  test("the member is told in the same sense", () => {
    const text = textForRequester(view(fields));
    expect(text).toMatch(/^Your request #12 for \$2,500,000 .*\.$/);
    expect(requestDirectMessage(view(fields), text)).toMatchObject({ card: { tone, body: text } });
    expect(requestDirectMessage(view(fields), text).buttons).toBeUndefined();
  });
});

test("a cancellation's reason is on the card and in the member's notice", () => {
  const cancelled = view({
    ...{ status: "cancelled", closedAt, closedBy: 1002, reason: "Ask after the war." },
  });
  expect(requestCard(cancelled, links).card?.body).toMatch(/\. Reason: Ask after the war\.$/);
  expect(textForRequester(cancelled)).toMatch(/\. Reason: Ask after the war\.$/);
});

test("§7 row 47: the member is told who cancelled, not that they did it themselves", () => {
  const [, fields] = closings[3] ?? [];
  const text = textForRequester(view(fields));
  expect(text).toContain("cancelled by Bruno_Vault [1002]");
  expect(text).not.toContain("Cleo_Marsh");
});
