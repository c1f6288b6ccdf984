import type { Origin } from "#server/audit/audit";
import type { Context } from "#server/context";
import { openProvedSession, type SignedIn } from "../open-proved-session";
import type { Browser } from "../sessions";
import { signInRefused } from "../sign-in-refused";
import { findWaitingStep } from "./find-waiting-step";
import { proveCode } from "./prove-code";
import { closeSecondStep } from "./store";
import { tryCode } from "./try-code";

export interface SecondStep {
  /** The value of the second step's cookie. */
  readonly token: string | null;
  /** A one-time password or a backup code, as typed. */
  readonly code: string;
  readonly browser: Browser;
  /** The token of the session that the browser had so far; it ends. */
  readonly previousSession: string | null;
  readonly origin: Origin;
}

/**
 * Signs in whose first factor was right and who now gives a right code.
 * @throws SignInRefused "second-step-over", "wrong-code", "throttled" or "banned"
 */
export async function completeSecondStep(ctx: Context, input: SecondStep): Promise<SignedIn> {
  const { code, origin, browser, previousSession } = input;
  const step = await findWaitingStep(ctx, input.token);
  if (!step) throw signInRefused("second-step-over");
  const { accountId, playerId, by } = step;
  return tryCode(ctx, { accountId, code, origin }, async (tx) => {
    // Closed first: of several tries at once on one step, each waits for the one before it.
    if (!(await closeSecondStep(tx, step.idHash, ctx.now()))) throw signInRefused("second-step-over");
    const second = await proveCode(ctx, tx, { accountId, code });
    if (!second) return undefined;
    const proved = { accountId, playerId, by, browser, previousSession, origin, details: { second } };
    return openProvedSession(ctx, tx, { ...proved, secondFactor: true });
  });
}
