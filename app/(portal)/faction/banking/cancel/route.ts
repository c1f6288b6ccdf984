import { z } from "zod";
import { form } from "#app/_lib/form";
import { Balance, withBalance } from "../balance-field";

/** Another player's or faction's request, or a closed one. */
const gone = [403, 404, 409];

export const POST = form({
  page: "/faction/banking",
  fields: z.object({
    faction: z.coerce.number(),
    request: z.string().default(""),
    balance: Balance,
  }),
  procedure: ({ banking }, { faction: factionId, request }) =>
    banking.cancel({ factionId, request }),
  typed: ({ balance }) => ({ ...(balance && { balance }) }),
  done: (_, { balance }) => `?done=cancelled${withBalance(balance)}`,
  refused: ({ status = 0 }) => (gone.includes(status) ? "?error=gone" : undefined),
});
