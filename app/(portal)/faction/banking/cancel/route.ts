import { form } from "#app/_lib/form";
import { withBalance } from "../balance-field";

/** Another player's or faction's request, or a closed one. */
const gone = [403, 404, 409];

export const POST = form({
  page: "/faction/banking",
  procedure: ({ banking }, sent) =>
    banking.cancel({ factionId: sent.number("faction"), request: sent.get("request") ?? "" }),
  typed: ["balance"],
  done: (_, sent) => `?done=cancelled${withBalance(sent)}`,
  refused: ({ status = 0 }) => (gone.includes(status) ? "?error=gone" : undefined),
});
