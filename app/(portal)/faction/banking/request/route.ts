import { z } from "zod";
import { form } from "#app/_lib/form";
import { VaultCurrency } from "#server/faction/banking/contract";
import { usualWaitingTime, waitingTimes } from "#server/faction/banking/vault-request";
import { ServiceUnavailable } from "#server/failures";

/** Longer than any amount; longer input is not refilled. */
const longestAmount = 40;

export const POST = form({
  page: "/faction/banking",
  fields: z.object({
    amount: z.string().trim().default(""),
    currency: VaultCurrency.catch("money_balance"),
    waits: z.enum(waitingTimes.map(({ value }) => value)).catch(usualWaitingTime),
    key: z.uuid().optional().catch(undefined),
  }),
  procedure: ({ banking }, { amount, currency, waits, key }) =>
    banking.request({ amount, currency, waits, key }),
  typed: ({ amount, currency, waits }) => ({
    amount: amount.length <= longestAmount ? amount : "",
    ...{ currency, waits },
  }),
  done: ({ id }) => `?done=requested&request=${id}`,
  refused: ({ field, reason, code }) => {
    const error = field === "amount" ? field : (reason ?? code);
    return error === undefined || code === ServiceUnavailable.code ? undefined : `?error=${error}`;
  },
});
