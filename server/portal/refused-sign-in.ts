import type { TRPCError } from "@trpc/server";
import { isSignInRefused, type SignInRefusal } from "#server/auth/sign-in-refused";
import { refusal } from "#server/trpc/refusal";

const codes: Partial<Record<SignInRefusal, TRPCError["code"]>> = {
  throttled: "TOO_MANY_REQUESTS",
  "game-unavailable": "SERVICE_UNAVAILABLE",
  "chat-off": "NOT_FOUND",
  // Who sends a wrong code for a setting is signed in: FORBIDDEN, so that nobody sends them to the sign-in page.
  "wrong-code": "FORBIDDEN",
  "code-wanted": "FORBIDDEN",
  "key-of-another": "FORBIDDEN",
};

/** Hands a refused sign-in or code on as the portal's refusal, whose reason is a word of `signInRefusals`. For `catch`. */
export function refusedSignIn(thrown: unknown): never {
  if (!isSignInRefused(thrown)) throw thrown;
  const { reason, message, retryAfter } = thrown;
  throw refusal({ code: codes[reason] ?? "UNAUTHORIZED", reason, message, retryAfter, cause: thrown });
}
