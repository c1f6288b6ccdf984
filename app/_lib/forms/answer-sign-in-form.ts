import { isSaidAtOnce, isSignInRefusal } from "#server/auth/sign-in-refused";
import { refusalReason } from "#server/trpc/refusal";
import { type SignInQuery, signInPath, waitingRequestId } from "../sign-in-path";
import { answerForm, type Form } from "./answer-form";

export interface SignInFormOptions {
  /** Proves who sent the form, and gives where that leads. */
  readonly prove: (
    form: Form,
    goal: { readonly next: string | undefined; readonly requestId: string | undefined },
  ) => Promise<{ readonly location: string }>;
  /** The page that says what was wrong; by default the one for signing in. */
  readonly pageOf?: (refusal: string) => (query: SignInQuery) => string;
}

/**
 * Answers a form of a sign-in: it carries `request` (a parked authorization request) or `next` besides its proof. Leads on with
 * the session's cookie, or back to a page with a word for what was wrong. It needs no token: nobody's session acts, and the
 * check of where the form came from keeps other sites from signing somebody in as somebody else.
 */
export const answerSignInForm = (
  request: Request,
  { prove, pageOf = () => signInPath }: SignInFormOptions,
): Promise<Response> =>
  answerForm(request, {
    token: false,
    signIn: {},
    act: async (form) => {
      const next = form.field("next");
      const requestId = waitingRequestId(form.field("request"));
      try {
        return (await prove(form, { next: next ?? undefined, requestId })).location;
      } catch (thrown) {
        const error = refusalReason(thrown);
        if (error === undefined || !isSignInRefusal(error) || isSaidAtOnce(error)) throw thrown;
        return pageOf(error)({ error, next, request: requestId });
      }
    },
  });
