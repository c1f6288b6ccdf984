import { answerForm } from "./answer-form";

const page = "/account";

/** The form that forgets a game key: `key_id`. */
export const postRemoveKey = (request: Request): Promise<Response> =>
  answerForm(request, {
    token: true,
    signIn: { next: page },
    act: async ({ field, caller }) => {
      const keyId = field("key_id");
      if (keyId !== null) await caller.account.removeKey({ keyId });
      return page;
    },
  });
