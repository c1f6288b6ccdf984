import { z } from "zod";
import type { ChatOutcome } from "#server/auth/chat/chat-sign-in";
import { secondStepCookie, sessionCookie } from "#server/auth/cookies";
import { safeNext } from "#server/auth/safe-next";
import { type SignInOutcome, secondStepSeconds } from "#server/auth/second-factor/second-step";
import { isSignInRefused } from "#server/auth/sign-in-refused";
import type { Context } from "#server/context";
import { isAuthorizationFailure } from "#server/oauth/authorize/pending-authorization";
import { resumeRequest } from "#server/oauth/authorize/start-authorization";
import { text } from "#server/platform/input-schemas";
import type { PortalContext } from "#server/trpc/portal-context";

export const Destination = z.object({
  /** A path of the portal. */
  next: text(4_000).optional().catch(undefined),
  /** The pending authorization request; takes precedence over `next`. */
  requestId: z.uuid().optional().catch(undefined),
});

/** The last step of every kind of proof. With a second factor, the destination waits. */
export async function completeSignIn(
  ctx: PortalContext,
  admitted: SignInOutcome,
  to: z.output<typeof Destination>,
): Promise<{ location: string }> {
  const { https } = ctx.context.settings;
  if (admitted.kind === "second-step") {
    ctx.setCookie(secondStepCookie(admitted.secondStepToken, { https, maxAge: secondStepSeconds }));
    const query = new URLSearchParams();
    if (to.requestId) query.set("request", to.requestId);
    else if (to.next) query.set("next", safeNext(to.next));
    return {
      location: query.size === 0 ? "/sign-in/second-step" : `/sign-in/second-step?${query}`,
    };
  }
  ctx.setCookie(sessionCookie(admitted.sessionToken, https));
  if (ctx.secondStepToken !== null) ctx.setCookie(secondStepCookie("", { https, maxAge: 0 }));
  return {
    location: to.requestId ? await onward(ctx, admitted.user, to.requestId) : safeNext(to.next),
  };
}

/** Skips the consent page if a remembered consent suffices. */
async function onward(
  ctx: PortalContext,
  user: NonNullable<PortalContext["user"]>,
  requestId: string,
) {
  try {
    const { browserId } = ctx;
    const onward = await resumeRequest(ctx.context, user, { requestId, browserId });
    return onward.kind === "redirect" ? onward.location : `/consent/${requestId}`;
  } catch (thrown) {
    // The consent page explains the failure.
    if (isAuthorizationFailure(thrown)) return `/consent/${requestId}`;
    throw thrown;
  }
}

/** Labels are the outcomes and `signInRefusals`. */
export async function countSignIn<Outcome extends SignInOutcome | ChatOutcome>(
  { metrics }: Pick<Context, "metrics">,
  method: "game-key" | "chat" | "passkey" | "second-factor",
  trying: Promise<Outcome>,
): Promise<Outcome> {
  try {
    const outcome = await trying;
    metrics.signIns.labels(method, wordOf(outcome)).inc();
    return outcome;
  } catch (thrown) {
    metrics.signIns.labels(method, isSignInRefused(thrown) ? thrown.reason : "failed").inc();
    throw thrown;
  }
}

function wordOf(outcome: SignInOutcome | ChatOutcome): string {
  if (outcome.kind === "admitted") return outcome.admitted.kind;
  return outcome.kind === "refused" ? outcome.refused : outcome.kind;
}
