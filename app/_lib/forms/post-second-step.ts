import { secondStepPath, signInPath } from "../sign-in-path";
import { answerSignInForm } from "./answer-sign-in-form";

/**
 * The second step's form: `code`. A wrong one leads back to its page, anything else to the sign-in page, because nothing waits
 * any more. Its cookie opens nothing by itself.
 */
export const postSecondStep = (request: Request): Promise<Response> =>
  answerSignInForm(request, {
    prove: ({ field, caller }, goal) => caller.signIn.withCode({ code: field("code") ?? "", ...goal }),
    pageOf: (refusal) => (refusal === "wrong-code" ? secondStepPath : signInPath),
  });
