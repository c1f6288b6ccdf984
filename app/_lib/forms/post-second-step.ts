import { isSaidAtOnce, isSignInRefusal } from "#server/auth/sign-in-refused";
import { refusalReason } from "#server/trpc/refusal";
import { secondStepPath } from "../second-step-path";
import { signInPath } from "../sign-in-path";
import { waitingRequestId } from "../waiting-request-id";
import { answerForm } from "./answer-form";

/**
 * The second step's form: `code`, and `request` (a parked authorization request) or `next`. Leads on with the session's cookie,
 * back to the page with a word for what was wrong, or to the sign-in page where nothing waits any more. It needs no token:
 * its cookie opens nothing by itself, and the check of where the form came from keeps other sites out.
 */
export const postSecondStep = (request: Request): Promise<Response> =>
  answerForm(request, {
    token: false,
    signIn: {},
    act: async ({ field, caller }) => {
      const next = field("next");
      const requestId = waitingRequestId(field("request"));
      try {
        const code = field("code") ?? "";
        return (await caller.signIn.withCode({ code, next: next ?? undefined, requestId })).location;
      } catch (thrown) {
        const error = refusalReason(thrown);
        if (error === undefined || !isSignInRefusal(error) || isSaidAtOnce(error)) throw thrown;
        const path = error === "wrong-code" ? secondStepPath : signInPath;
        return path({ error, next, request: requestId });
      }
    },
  });
