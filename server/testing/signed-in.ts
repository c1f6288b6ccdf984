import type { Admitted, SignedIn } from "#server/auth/admit-account";

/** What a sign-in without a second factor gave. @throws where a second factor is asked for */
export function signedIn(admitted: Admitted): SignedIn {
  if (admitted.kind !== "signed-in") throw new Error("A second factor is asked for.");
  return admitted;
}
