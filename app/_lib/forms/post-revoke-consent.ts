import { UnknownElement } from "#server/failures";
import { failureBehind } from "#server/trpc/refusal";
import { answerForm } from "./answer-form";

const page = "/account/apps";

/** The form that cuts an application off: `consent_id`, or `all` = `yes` for every application. */
export const postRevokeConsent = (request: Request): Promise<Response> =>
  answerForm(request, {
    token: true,
    signIn: { next: page },
    act: async ({ field, caller }) => {
      const consentId = field("consent_id");
      if (consentId !== null) await caller.consents.revoke({ consentId }).catch(unlessGone);
      else if (field("all") === "yes") await caller.consents.revokeAll();
      return `${page}?done=revoked`;
    },
  });

/** Cut off already, from another tab or device: what was asked for holds. */
function unlessGone(thrown: unknown): void {
  if (failureBehind(thrown)?.kind.code !== UnknownElement.code) throw thrown;
}
