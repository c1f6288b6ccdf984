import { z } from "zod";
import { decideRequest } from "#server/oauth/authorize/decide-request";
import { showRequest } from "#server/oauth/authorize/show-request";
import { isRequestFailure, type RequestFailureKind } from "#server/oauth/request-failure";
import { router, userProcedure } from "#server/trpc/init";
import { refusal } from "#server/trpc/refusal";

const Decision = z.object({
  requestId: z.uuid(),
  decision: z.enum(["approve", "deny"]),
  until: z.enum(["day", "month", "revoked"]).optional(),
});

/** What became of a request that cannot be shown or decided, as the consent page tells it apart. */
export const requestReasons = {
  unknown: "REQUEST_UNKNOWN",
  expired: "REQUEST_EXPIRED",
  decided: "REQUEST_DECIDED",
  foreign: "REQUEST_FOREIGN",
  "stale-sign-in": "SIGN_IN_STALE",
} as const satisfies Record<RequestFailureKind, string>;

/** A parked authorization request: who asks for what, and the player's answer. */
export const authorizationRouter = router({
  show: userProcedure
    .input(z.object({ requestId: z.uuid() }))
    .query(({ ctx, input }) =>
      showRequest(ctx.context, { requestId: input.requestId, browserId: ctx.browserId, user: ctx.user }).catch(
        translate,
      ),
    ),

  /** The answer's `location` is the application's: the browser goes there. */
  decide: userProcedure.input(Decision).mutation(({ ctx, input }) =>
    decideRequest(ctx.context, {
      ...input,
      browserId: ctx.browserId,
      user: ctx.user,
      origin: ctx.origin,
    }).catch(translate),
  ),
});

function translate(thrown: unknown): never {
  if (!isRequestFailure(thrown)) throw thrown;
  const { kind, message } = thrown;
  const code = kind === "unknown" ? "NOT_FOUND" : kind === "expired" || kind === "decided" ? "CONFLICT" : "FORBIDDEN";
  throw refusal({ code, reason: requestReasons[kind], message, cause: thrown });
}
