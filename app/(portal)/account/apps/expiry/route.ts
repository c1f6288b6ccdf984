import { form } from "#app/_lib/form";
import { consentWays } from "../consent-fields";

export const POST = form({
  procedure: ({ consents }, sent) =>
    consents.changeExpiry({ consentId: sent.get("consent_id"), until: sent.get("until") }),
  ...consentWays("expiry"),
});
