import { isSaidAtOnce, isSignInRefusal } from "#server/auth/sign-in-refused";
import { refusalReason } from "#server/trpc/refusal";
import { signInPath } from "../sign-in-path";
import { waitingRequestId } from "../waiting-request-id";
import { answerForm } from "./answer-form";

/**
 * The sign-in form: `game_key`, and `request` (a parked authorization request) or `next`. Leads on with the session's cookie,
 * or back to the sign-in page with a word for what was wrong. It needs no token: nobody's session acts, and the check of
 * where the form came from keeps other sites from signing somebody in as somebody else.
 */
export const postSignInKey = (request: Request): Promise<Response> =>
  answerForm(request, {
    token: false,
    signIn: {},
    act: async ({ field, caller }) => {
      const next = field("next");
      const requestId = waitingRequestId(field("request"));
      try {
        const gameKey = field("game_key") ?? "";
        return (await caller.signIn.withGameKey({ gameKey, next: next ?? undefined, requestId })).location;
      } catch (thrown) {
        const error = refusalReason(thrown);
        if (error === undefined || !isSignInRefusal(error) || isSaidAtOnce(error)) throw thrown;
        return signInPath({ error, next, request: requestId });
      }
    },
  });
