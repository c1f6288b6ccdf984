import { answerForm } from "./answer-form";

const page = "/account";

/** The switch that lends the player's keys: `lends` = `yes` or `no`. */
export const postKeyLending = (request: Request): Promise<Response> =>
  answerForm(request, {
    token: true,
    signIn: { next: page },
    act: async ({ field, caller }) => {
      const lends = field("lends");
      if (lends === "yes" || lends === "no") await caller.account.lendKey({ lends: lends === "yes" });
      return page;
    },
  });
