import { isSignInRefusal } from "#server/auth/sign-in-refused";
import { refusalReason } from "#server/trpc/refusal";
import { signInPath } from "../sign-in-path";
import { answerForm } from "./answer-form";

const requestForm = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

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
      const [next, waiting] = [field("next"), field("request")];
      const requestId = waiting !== null && requestForm.test(waiting) ? waiting : undefined;
      try {
        const gameKey = field("game_key") ?? "";
        return (await caller.signIn.withGameKey({ gameKey, next: next ?? undefined, requestId })).location;
      } catch (thrown) {
        const error = refusalReason(thrown);
        // Too many tries are answered as what they are (429), for programs too.
        if (error === undefined || !isSignInRefusal(error) || error === "throttled") throw thrown;
        return signInPath({ error, next, request: requestId });
      }
    },
  });
