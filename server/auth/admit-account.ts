import type { Queryable } from "#db/client";
import type { Context } from "#server/context";
import { openProvedSession, type ProvedAccount, type SignedIn } from "./open-proved-session";
import { askSecondStep, type SecondStepAsked } from "./second-factor/ask-second-step";
import { findSecondFactor } from "./second-factor/store";
import { lockAccount } from "./store";

export type Admitted = SignedIn | SecondStepAsked;

/**
 * Lets in whose first factor was right, or asks for the second where the account has one. Every way to sign in ends here.
 * @throws SignInRefused "banned"
 */
export async function admitAccount(ctx: Context, tx: Queryable, proved: ProvedAccount): Promise<Admitted> {
  // Turning the second factor on waits for this sign-in, and ends its session; or this sign-in sees that it is on.
  await lockAccount(tx, proved.accountId);
  const factor = await findSecondFactor(tx, proved.accountId);
  return factor?.confirmedAt ? askSecondStep(ctx, tx, proved) : openProvedSession(ctx, tx, proved);
}
