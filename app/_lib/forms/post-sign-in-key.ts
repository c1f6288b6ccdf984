import { answerSignInForm } from "./answer-sign-in-form";

/** The sign-in form: `game_key`. */
export const postSignInKey = (request: Request): Promise<Response> =>
  answerSignInForm(request, {
    prove: ({ field, caller }, goal) => caller.signIn.withGameKey({ gameKey: field("game_key") ?? "", ...goal }),
  });
