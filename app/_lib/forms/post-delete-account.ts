import { GeneralError } from "#server/failures";
import { failureBehind } from "#server/trpc/refusal";
import { answerForm } from "./answer-form";

const page = "/account/delete";

/** The form that deletes the account: `confirm_name`, the player's name. Leads to the page that says that it is done. */
export const postDeleteAccount = (request: Request): Promise<Response> =>
  answerForm(request, {
    token: true,
    signIn: { next: page },
    act: async ({ field, caller }) => {
      try {
        await caller.account.delete({ confirmName: field("confirm_name") ?? "" });
        return "/account-deleted";
      } catch (thrown) {
        if (failureBehind(thrown)?.kind.code !== GeneralError.code) throw thrown;
        return `${page}?error=name`;
      }
    },
  });
