import type { SignInOutcome } from "#server/auth/second-factor/second-step";
import type { SignedIn } from "#server/auth/sessions";

export function signedIn(admitted: SignInOutcome): SignedIn {
  if (admitted.kind !== "signed-in") throw new Error("A second factor is asked for.");
  return admitted;
}
