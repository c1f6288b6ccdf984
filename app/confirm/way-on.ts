import type { Refused } from "#app/_lib/form";
import { confirmPath, type SignInQuery, signInPath } from "#app/_lib/sign-in-path";
import { safeNext } from "#server/auth/safe-next";
import { isSignInRefusal } from "#server/auth/sign-in-refused";

/** Where a right proof leads. */
export const wayOn = ({ next, request }: SignInQuery): string => (request ? `/consent/${request}` : safeNext(next));

/** The page again, which says why a proof was refused; undefined for what is answered with its own status. */
export function backToConfirm({ reason: error }: Refused, { next, request }: SignInQuery): string | undefined {
  if (error === "session-over") return signInPath({ next, request });
  if (error === undefined || !isSignInRefusal(error) || error === "throttled") return undefined;
  return confirmPath({ error, next, request });
}
