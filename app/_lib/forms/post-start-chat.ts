import { waitingRequestId } from "../sign-in-path";
import { answerForm } from "./answer-form";

/**
 * The form that sends somebody to the chat to sign in: `request` (a parked authorization request) or `next`. It needs no token:
 * nobody's session acts. The check of where the form came from keeps other sites from starting it.
 */
export const postStartChat = (request: Request): Promise<Response> =>
  answerForm(request, {
    token: false,
    signIn: {},
    act: async ({ field, caller }) => {
      const asked = { next: field("next") ?? undefined, requestId: waitingRequestId(field("request")) };
      return (await caller.chat.startSignIn(asked)).location;
    },
  });
