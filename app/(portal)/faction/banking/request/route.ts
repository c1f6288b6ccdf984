import { form } from "#app/_lib/form";
import { ServiceUnavailable } from "#server/failures";
import { withBalance } from "../balance-field";

export const POST = form({
  page: "/faction/banking",
  procedure: ({ banking }, sent) =>
    banking.request({
      amount: sent.get("amount")?.trim() ?? "",
      currency: sent.get("currency"),
      waits: sent.get("waits"),
      key: sent.get("key"),
    }),
  typed: ["amount", "currency", "waits", "balance"],
  done: ({ id }, sent) => `?done=requested&request=${id}${withBalance(sent)}`,
  refused: ({ field, reason, code }) => {
    const error = field === "amount" ? field : (reason ?? code);
    return error === undefined || code === ServiceUnavailable.code ? undefined : `?error=${error}`;
  },
});
