import { answerForm } from "./answer-form";

const page = "/account";

/** The switch that lets the player's fights tell their opponents' scores: `shares` = `yes` or `no`. */
export const postFightSharing = (request: Request): Promise<Response> =>
  answerForm(request, {
    token: true,
    signIn: { next: page },
    act: async ({ field, caller }) => {
      const shares = field("shares");
      if (shares === "yes" || shares === "no") await caller.account.shareFights({ shares: shares === "yes" });
      return page;
    },
  });
