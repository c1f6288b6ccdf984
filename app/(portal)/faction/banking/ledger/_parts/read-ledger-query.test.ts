import { expect, test } from "vitest";
import { readLedgerQuery } from "./read-ledger-query";

test("an address says the range, the member, and whether payments were seen", () => {
  const { query, addressFor } = readLedgerQuery({
    days: "90",
    member: "12",
    payments: "unseen",
    after: "5.7",
  });
  expect(query).toEqual({ days: 90, member: 12, unseenOnly: true, after: "5.7" });
  expect(addressFor(12)).toBe("/faction/banking/ledger?days=90&member=12&payments=unseen");
  expect(addressFor(null)).toBe("/faction/banking/ledger?days=90&payments=unseen");
});

test.each([{}, { days: "31", member: "0", payments: "all" }, { days: "7,90", member: "1e3" }])(
  "what is none of the choices counts as absent: %j",
  (sent) => {
    const { query, addressFor } = readLedgerQuery(sent);
    expect(query).toEqual({ days: 30, member: null, unseenOnly: false, after: null });
    expect(addressFor(query.member)).toBe("/faction/banking/ledger");
  },
);
