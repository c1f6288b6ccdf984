import type { Admitted } from "#server/auth/admit-account";
import type { SignedIn } from "#server/auth/open-proved-session";

/** What a sign-in without a second factor gave. @throws where a second factor is asked for */
export function signedIn(admitted: Admitted): SignedIn {
  if (admitted.kind !== "signed-in") throw new Error("A second factor is asked for.");
  return admitted;
}
