import { z } from "zod";
import type { Refused } from "#app/_lib/form-page";
import {
  confirmPath,
  keyRequests,
  type SignInQuery,
  signInPath,
  waitingRequestId,
} from "#app/_lib/sign-in-path";
import { safeNext } from "#server/auth/safe-next";
import { isSaidAtOnce, isSignInRefusal } from "#server/auth/sign-in-refused";

/** Common fields of sign-in forms. */
export const destination = {
  next: z.string().optional(),
  /** A pending authorization request. */
  request: z
    .string()
    .optional()
    .transform((text) => waitingRequestId(text ?? null)),
  /** Purpose of the key. */
  for: z.enum(keyRequests).optional().catch(undefined),
};

/** The sign-in page with the reason; undefined for other errors. */
export const backToSignIn = (
  { reason }: Refused,
  { next, request, for: wanted }: SignInQuery,
): string | undefined =>
  reason === undefined || !isSignInRefusal(reason) || isSaidAtOnce(reason)
    ? undefined
    : signInPath({ error: reason, next, request, for: wanted });

export const wayOn = ({ next, request }: SignInQuery): string =>
  request ? `/consent/${request}` : safeNext(next);

/** The page with the reason; undefined for other errors. */
export function backToConfirm(
  { reason: error }: Refused,
  { next, request }: SignInQuery,
): string | undefined {
  if (error === "session-over") return signInPath({ next, request });
  if (error === undefined || !isSignInRefusal(error) || error === "throttled") return undefined;
  return confirmPath({ error, next, request });
}
