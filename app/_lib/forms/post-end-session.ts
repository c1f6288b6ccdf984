import { answerForm } from "./answer-form";

const page = "/account/sessions";

/** The form that signs a browser out from afar: `id` of the session, or `others` = `yes` for all but this one. */
export const postEndSession = (request: Request): Promise<Response> =>
  answerForm(request, {
    token: true,
    signIn: { next: page },
    act: async ({ field, caller }) => {
      const id = field("id");
      if (id !== null) await caller.session.end({ id });
      else if (field("others") === "yes") await caller.session.endOthers();
      return `${page}?done=ended`;
    },
  });
