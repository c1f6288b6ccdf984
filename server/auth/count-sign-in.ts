import type { Context } from "#server/context";
import type { ChatOutcome } from "./chat/finish-chat-sign-in";
import type { SignInOutcome } from "./finish-sign-in";
import { isSignInRefused } from "./sign-in-refused";

/** Counts how a try to sign in ended. Its words are those of the outcomes and of `signInRefusals`. */
export async function countSignIn<Outcome extends SignInOutcome | ChatOutcome>(
  { metrics }: Pick<Context, "metrics">,
  method: "game-key" | "chat" | "passkey" | "second-factor",
  trying: Promise<Outcome>,
): Promise<Outcome> {
  try {
    const outcome = await trying;
    metrics.signIns.of(method, wordOf(outcome)).inc();
    return outcome;
  } catch (thrown) {
    metrics.signIns.of(method, isSignInRefused(thrown) ? thrown.reason : "failed").inc();
    throw thrown;
  }
}

function wordOf(outcome: SignInOutcome | ChatOutcome): string {
  if (outcome.kind === "admitted") return outcome.admitted.kind;
  return outcome.kind === "refused" ? outcome.refused.reason : outcome.kind;
}
