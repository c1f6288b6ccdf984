import { form } from "#app/_lib/form";
import { consentWays } from "../consent-fields";

export const POST = form({
  procedure: ({ consents }, sent) => consents.resume({ consentId: sent.get("consent_id") }),
  ...consentWays("resumed"),
});
