import { answerForm } from "./answer-form";

/** The sign-out form. Somebody who is not signed in any more ends up at the same place. */
export const postSignOut = (request: Request): Promise<Response> =>
  answerForm(request, {
    token: true,
    signIn: {},
    act: async ({ caller }) => {
      await caller.session.signOut();
      return "/";
    },
  });
