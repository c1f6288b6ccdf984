import { isSignInRefused } from "#server/auth/sign-in-refused";

/** "accepted", or the reason why a sign-in was refused. Anything else that is thrown fails the test. */
export async function outcomeOf(attempt: Promise<unknown>): Promise<string> {
  try {
    await attempt;
    return "accepted";
  } catch (thrown) {
    if (isSignInRefused(thrown)) return thrown.reason;
    throw thrown;
  }
}
