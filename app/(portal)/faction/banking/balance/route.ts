import { formHandler } from "#app/_lib/form";

/** The vault is read on demand, because each reading costs a call with a player's key. */
export const POST = formHandler({
  page: "/faction/banking",
  procedure: ({ banking }) => banking.readBalance(),
  done: (_, sent) => (sent.get("to") === "balances" ? "/faction/banking/balances" : ""),
  refused: ({ reason, code }) => {
    const error = reason ?? code;
    return error === undefined ? undefined : `?error=${error}`;
  },
});
