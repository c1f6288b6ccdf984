import { formHandler } from "#app/_lib/form";
import { consentFormOptions } from "../consent-form-options";

const ways = consentFormOptions("revoked", "revoked");

export const POST = formHandler({
  procedure: ({ consents }, sent) => {
    const consentIds = sent.getAll("consent_id");
    return sent.get("all") === "yes" && consentIds.length === 0
      ? consents.revokeAll()
      : consents.revoke({ consentIds });
  },
  ...ways,
  refused: (why, sent) => (why.field === "consentIds" ? "?error=none" : ways.refused(why, sent)),
});
