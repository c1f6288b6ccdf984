import { answerForm } from "./answer-form";

/** The form that sends somebody to the chat to link their account there with the one they are signed in to. */
export const postLinkChat = (request: Request): Promise<Response> =>
  answerForm(request, {
    token: true,
    signIn: { next: "/account" },
    act: async ({ caller }) => (await caller.chat.startLink()).location,
  });
