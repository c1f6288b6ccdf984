import { fileAnswer, formHandler } from "#app/_lib/form";
import { ledgerQueryFields, readLedgerQuery } from "../_parts/read-ledger-query";

export const POST = formHandler({
  page: "/faction/banking/ledger",
  typed: ledgerQueryFields,
  procedure: ({ banking }, sent) => {
    const { days, member, unseenOnly } = readLedgerQuery({
      days: sent.get("days"),
      member: sent.get("member"),
      payments: sent.get("payments"),
    }).query;
    return banking.ledgerFile({ days, member, unseenOnly });
  },
  done: (text) => fileAnswer(text, { name: "adjutant-vault.csv", type: "text/csv" }),
});
