import { fileAnswer, form } from "#app/_lib/form";
import { readLedgerQuery } from "../_parts/read-ledger-query";

const filters = ["days", "member", "payments"];

export const POST = form({
  page: "/faction/banking/ledger",
  typed: filters,
  procedure: ({ banking }, sent) => {
    const chosen = Object.fromEntries(filters.map((name) => [name, sent.get(name)]));
    const { days, member, unseenOnly } = readLedgerQuery(chosen).query;
    return banking.ledgerFile({ days, member, unseenOnly });
  },
  done: (text) => fileAnswer(text, { name: "adjutant-vault.csv", type: "text/csv" }),
});
