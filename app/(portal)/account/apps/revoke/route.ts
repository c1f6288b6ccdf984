import { form } from "#app/_lib/form";
import { consentWays } from "../consent-fields";

/** One application or all. Idempotent. */
export const POST = form({
  procedure: ({ consents }, sent) => {
    const consentId = sent.get("consent_id");
    return sent.get("all") === "yes" && consentId === undefined
      ? consents.revokeAll()
      : consents.revoke({ consentId });
  },
  ...consentWays("revoked", "revoked"),
});
