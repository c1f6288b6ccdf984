import type { SignInOutcome } from "#server/auth/second-factor/second-step";
import type { SignedIn } from "#server/auth/session-acts";

/** What a sign-in without a second factor gave. @throws where a second factor is asked for */
export function signedIn(admitted: SignInOutcome): SignedIn {
  if (admitted.kind !== "signed-in") throw new Error("A second factor is asked for.");
  return admitted;
}
