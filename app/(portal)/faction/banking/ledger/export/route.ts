import { z } from "zod";
import { fileAnswer, form } from "#app/_lib/form";
import { readLedgerQuery } from "../_parts/read-ledger-query";

export const POST = form({
  page: "/faction/banking/ledger",
  fields: z.object({
    days: z.string().optional(),
    member: z.string().optional(),
    payments: z.string().optional(),
  }),
  typed: (fields) => Object.fromEntries(Object.entries(fields).filter(([, value]) => value)),
  procedure: ({ banking }, fields) => {
    const { days, member, unseenOnly } = readLedgerQuery(fields).query;
    return banking.ledgerFile({ days, member, unseenOnly });
  },
  done: (text) => fileAnswer(text, { name: "adjutant-vault.csv", type: "text/csv" }),
});
