import type { SentForm } from "#app/_lib/form";
import { readParams, type SearchParams } from "#app/_lib/search-params";
import {
  confirmPath,
  readWaitingRequestId,
  type SignInQuery,
  secondStepPath,
  signInPath,
} from "#app/_lib/sign-in-path";
import { safeNext } from "#server/auth/safe-next";
import { isShownInPlace, isSignInRefusal } from "#server/auth/sign-in-refused";
import { isKeyPurpose, type KeyPurpose } from "#server/game/selections";
import type { Refusal } from "#server/trpc/refusal";

export const readDestinationFields = (sent: SentForm) => ({
  next: sent.get("next"),
  requestId: sent.get("request"),
});

/** An unknown error counts as absent. */
export async function readSignInQuery(searchParams: SearchParams) {
  const { error = "", ...way } = await readParams(searchParams, ["error", "next", "request"]);
  return { refusal: isSignInRefusal(error) ? error : undefined, ...way };
}

export const readKeyPurpose = (text = ""): KeyPurpose | undefined =>
  isKeyPurpose(text) ? text : undefined;

const backTo = (sent: SentForm): SignInQuery => ({
  next: sent.get("next"),
  request: readWaitingRequestId(sent.get("request") ?? null),
});

/** Undefined for errors that the sign-in page does not show. */
export const signInErrorPath = ({ reason }: Refusal, sent: SentForm): string | undefined =>
  reason === undefined || !isSignInRefusal(reason) || isShownInPlace(reason)
    ? undefined
    : signInPath({
        error: reason,
        ...backTo(sent),
        for: readKeyPurpose(sent.get("for")),
      });

/** A wrong code returns to the second step; any other refusal ends the step. */
export const secondStepErrorPath = (why: Refusal, sent: SentForm): string | undefined =>
  why.reason === "wrong-code"
    ? secondStepPath({ error: why.reason, ...backTo(sent) })
    : signInErrorPath(why, sent);

export function afterSignInPath(sent: SentForm): string {
  const { next, request } = backTo(sent);
  return request ? `/consent/${request}` : safeNext(next);
}

/** Undefined for errors that the confirmation page does not show. */
export function confirmErrorPath({ reason: error }: Refusal, sent: SentForm): string | undefined {
  if (error === "session-over") return signInPath(backTo(sent));
  if (error === undefined || !isSignInRefusal(error) || error === "throttled") return undefined;
  return confirmPath({ error, ...backTo(sent) });
}
