import { form } from "#app/_lib/form";
import { consentWays } from "../consent-fields";

const ways = consentWays("revoked", "revoked");

/** Revokes one application, several or all. Idempotent. */
export const POST = form({
  procedure: ({ consents }, sent) => {
    const consentIds = sent.getAll("consent_id");
    return sent.get("all") === "yes" && consentIds.length === 0
      ? consents.revokeAll()
      : consents.revoke({ consentIds });
  },
  ...ways,
  refused: (why, sent) => (why.field === "consentIds" ? "?error=none" : ways.refused(why, sent)),
});
