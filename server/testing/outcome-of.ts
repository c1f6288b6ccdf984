import { isSignInRefused } from "#server/auth/sign-in-refused";

/** "accepted", or the reason of the refusal. Other errors are rethrown. */
export async function outcomeOf(attempt: Promise<unknown>): Promise<string> {
  try {
    await attempt;
    return "accepted";
  } catch (thrown) {
    if (isSignInRefused(thrown)) return thrown.reason;
    throw thrown;
  }
}
