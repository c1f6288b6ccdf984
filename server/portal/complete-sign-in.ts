import { secondStepCookie, sessionCookie } from "#server/auth/cookies";
import type { SignInOutcome } from "#server/auth/finish-sign-in";
import { safeNext } from "#server/auth/safe-next";
import { secondStepSeconds } from "#server/auth/second-factor/second-step";
import { isAuthorizationFailure } from "#server/oauth/authorize/authorization-failure";
import { resumeRequest } from "#server/oauth/authorize/resume-authorization";
import type { PortalContext } from "#server/trpc/init";

/** Where a sign-in leads when it is done. */
export interface Destination {
  /** A path of the portal to go on to. */
  readonly next?: string | null;
  /** The pending authorization request that sent the player here. It beats `next`. */
  readonly requestId?: string | null;
}

/**
 * What follows a right proof, whichever it was: the cookie, and the address to go on to. That is the second step where the
 * account has one, and the destination waits meanwhile.
 */
export async function completeSignIn(
  ctx: PortalContext,
  admitted: SignInOutcome,
  to: Destination,
): Promise<{ location: string }> {
  const { https } = ctx.context.settings;
  if (admitted.kind === "second-step") {
    ctx.setCookie(secondStepCookie(admitted.secondStepToken, { https, maxAge: secondStepSeconds }));
    const query = new URLSearchParams();
    if (to.requestId) query.set("request", to.requestId);
    else if (to.next) query.set("next", safeNext(to.next));
    return { location: query.size === 0 ? "/sign-in/second-step" : `/sign-in/second-step?${query}` };
  }
  ctx.setCookie(sessionCookie(admitted.sessionToken, https));
  if (ctx.secondStepToken !== null) ctx.setCookie(secondStepCookie("", { https, maxAge: 0 }));
  return { location: to.requestId ? await onward(ctx, admitted.user, to.requestId) : safeNext(to.next) };
}

/** To the consent page, or past it where a remembered consent answers the request. */
async function onward(ctx: PortalContext, user: NonNullable<PortalContext["user"]>, requestId: string) {
  try {
    const onward = await resumeRequest(ctx.context, { requestId, browserId: ctx.browserId, user, origin: ctx.origin });
    return onward.kind === "redirect" ? onward.location : `/consent/${requestId}`;
  } catch (thrown) {
    // The consent page says what became of the request, and how to go on.
    if (isAuthorizationFailure(thrown)) return `/consent/${requestId}`;
    throw thrown;
  }
}
