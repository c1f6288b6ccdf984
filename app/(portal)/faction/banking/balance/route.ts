import { z } from "zod";
import { form } from "#app/_lib/form";

/** Reads the vault from the game, as each reading costs a call with a player's key. */
export const POST = form({
  page: "/faction/banking",
  fields: z.object({ to: z.literal("balances").optional().catch(undefined) }),
  procedure: ({ banking }) => banking.readBalance(),
  done: (_, { to }) => (to ? "/faction/banking/balances" : ""),
  refused: ({ reason, code }) => {
    const error = reason ?? code;
    return error === undefined ? undefined : `?error=${error}`;
  },
});
