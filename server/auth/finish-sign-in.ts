import type { Queryable } from "#db/client";
import type { Context } from "#server/context";
import { requireSecondStep, type SecondStepRequired } from "./second-factor/second-step";
import { findSecondFactor } from "./second-factor/store";
import { type ProvedAccount, type SignedIn, startSession } from "./start-session";
import { lockAccount } from "./store";

export type SignInOutcome = SignedIn | SecondStepRequired;

/**
 * Lets in whose first factor was right, or asks for the second where the account has one. Every way to sign in ends here.
 * @throws SignInRefused "banned"
 */
export async function finishSignIn(ctx: Context, tx: Queryable, proved: ProvedAccount): Promise<SignInOutcome> {
  // Turning the second factor on waits for this sign-in, and ends its session; or this sign-in sees that it is on.
  await lockAccount(tx, proved.accountId);
  const factor = await findSecondFactor(tx, proved.accountId);
  return factor?.confirmedAt ? requireSecondStep(ctx, tx, proved) : startSession(ctx, tx, proved);
}
