import { answerForm } from "./answer-form";

const page = "/account";

/** The form that marks all notices as read. */
export const postNoticesRead = (request: Request): Promise<Response> =>
  answerForm(request, {
    token: true,
    signIn: { next: page },
    act: async ({ caller }) => {
      await caller.account.noticesRead();
      return page;
    },
  });
