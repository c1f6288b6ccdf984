import { answerForm } from "./answer-form";

/** The form that unlinks the chat account. */
export const postUnlinkChat = (request: Request): Promise<Response> =>
  answerForm(request, {
    token: true,
    signIn: { next: "/account" },
    act: async ({ caller }) => {
      await caller.chat.unlink();
      return "/account?chat=unlinked";
    },
  });
