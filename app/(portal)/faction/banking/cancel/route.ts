import { formHandler } from "#app/_lib/form";

/** Statuses of another player's or faction's request, and of a closed one. */
const gone = [403, 404, 409];

export const POST = formHandler({
  page: "/faction/banking",
  procedure: ({ banking }, sent) =>
    banking.cancel({
      factionId: sent.number("faction"),
      request: sent.get("request") ?? "",
      reason: sent.get("reason"),
    }),
  done: "?done=cancelled",
  refused: ({ status = 0 }) => (gone.includes(status) ? "?error=gone" : undefined),
});
