import { formHandler } from "#app/_lib/form";
import { ServiceUnavailable } from "#server/failures";

export const POST = formHandler({
  page: "/faction/banking",
  procedure: ({ banking }, sent) =>
    banking.request({
      amount: sent.get("amount")?.trim() ?? "",
      currency: sent.get("currency"),
      waits: sent.get("waits"),
      key: sent.get("key"),
    }),
  typed: ["amount", "currency", "waits"],
  done: ({ id }) => `?done=requested&request=${id}`,
  refused: ({ field, reason, code }) => {
    const error = field === "amount" ? field : (reason ?? code);
    return error === undefined || code === ServiceUnavailable.code ? undefined : `?error=${error}`;
  },
});
