import { answerForm } from "./answer-form";

const pages = { overview: "/account", notices: "/account/notices" } as const;

/** The form that marks all notices as read: it stands on two pages, and `from` = `overview` names the one that is not their own. */
export const postNoticesRead = (request: Request): Promise<Response> =>
  answerForm(request, {
    token: true,
    signIn: { next: pages.notices },
    act: async ({ field, caller }) => {
      await caller.account.noticesRead();
      return field("from") === "overview" ? pages.overview : pages.notices;
    },
  });
