import { safeNext } from "#server/auth/safe-next";
import { isSignInRefusal } from "#server/auth/sign-in-refused";
import { refusalReason } from "#server/trpc/refusal";
import { confirmPath } from "../confirm-path";
import { signInPath, waitingRequestId } from "../sign-in-path";
import { answerForm } from "./answer-form";

/**
 * The form that confirms who one is: `code` or `game_key`, and `request` (a parked authorization request) or `next` for where
 * it leads. A wrong proof leads back to its page.
 */
export const postConfirmation = (request: Request): Promise<Response> =>
  answerForm(request, {
    token: true,
    signIn: {},
    act: async ({ field, caller }) => {
      const next = field("next");
      const requestId = waitingRequestId(field("request"));
      const code = field("code");
      try {
        if (code !== null) await caller.confirmation.withCode({ code });
        else await caller.confirmation.withGameKey({ gameKey: field("game_key") ?? "" });
      } catch (thrown) {
        const error = refusalReason(thrown);
        if (error === "session-over") return signInPath({ next, request: requestId });
        if (error === undefined || !isSignInRefusal(error) || error === "throttled") throw thrown;
        return confirmPath({ error, next, request: requestId });
      }
      return requestId ? `/consent/${requestId}` : safeNext(next);
    },
  });
