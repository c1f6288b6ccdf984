import { z } from "zod";

/** What is let through in a clock minute. */
export interface Rates {
  /** Calls of one account through one application. */
  readonly holder: number;
  /** Calls without a live token, of one address. */
  readonly peer: number;
  /** Calls of one application to the token, revocation and introspection endpoints. */
  readonly client: number;
  /** Failed ones of them, of one application from one address. */
  readonly clientFailures: number;
  /** Authorization requests of one address. */
  readonly authorize: number;
  /** Pages of one address. */
  readonly pages: number;
  /** Failed sign-ins, of one address and to one account. */
  readonly signInAddress: number;
  readonly signInAccount: number;
  /** Readings of the vault that one member causes. */
  readonly vault: number;
  /** Refreshes of players that one player causes, through all applications together. */
  readonly refresh: number;
}

const calls = (fallback: number) => z.coerce.number().int().positive().default(fallback);

/** The limits as the environment names them. */
export const rateVariables = {
  RATE_HOLDER: calls(250),
  RATE_PEER: calls(250),
  RATE_CLIENT: calls(6_000),
  RATE_CLIENT_FAILURES: calls(20),
  RATE_AUTHORIZE: calls(60),
  RATE_PAGES: calls(600),
  RATE_SIGN_IN_ADDRESS: calls(10),
  RATE_SIGN_IN_ACCOUNT: calls(5),
  RATE_VAULT: calls(6),
  RATE_REFRESH: calls(20),
};

export const ratesOf = (env: Readonly<Record<keyof typeof rateVariables, number>>): Rates => ({
  holder: env.RATE_HOLDER,
  peer: env.RATE_PEER,
  client: env.RATE_CLIENT,
  clientFailures: env.RATE_CLIENT_FAILURES,
  authorize: env.RATE_AUTHORIZE,
  pages: env.RATE_PAGES,
  signInAddress: env.RATE_SIGN_IN_ADDRESS,
  signInAccount: env.RATE_SIGN_IN_ACCOUNT,
  vault: env.RATE_VAULT,
  refresh: env.RATE_REFRESH,
});
