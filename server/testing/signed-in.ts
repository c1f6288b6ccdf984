import type { SignInOutcome } from "#server/auth/finish-sign-in";
import type { SignedIn } from "#server/auth/start-session";

/** What a sign-in without a second factor gave. @throws where a second factor is asked for */
export function signedIn(admitted: SignInOutcome): SignedIn {
  if (admitted.kind !== "signed-in") throw new Error("A second factor is asked for.");
  return admitted;
}
