import { UnknownElement } from "#server/failures";
import { failureBehind } from "#server/trpc/refusal";
import { answerForm } from "./answer-form";
import { consentPageAfter } from "./consent-page";

/**
 * The form that cuts an application off: `consent_id`, or `all` = `yes` for every application; and `app` (its client id) where
 * it was sent from that one's page.
 */
export const postRevokeConsent = (request: Request): Promise<Response> =>
  answerForm(request, {
    token: true,
    signIn: { next: "/account/apps" },
    act: async ({ field, caller }) => {
      const consentId = field("consent_id");
      if (consentId !== null) await caller.consents.revoke({ consentId }).catch(unlessGone);
      else if (field("all") === "yes") await caller.consents.revokeAll();
      return consentPageAfter(field("app"), "revoked");
    },
  });

/** Cut off already, from another tab or device: what was asked for holds. */
function unlessGone(thrown: unknown): void {
  if (failureBehind(thrown)?.kind.code !== UnknownElement.code) throw thrown;
}
