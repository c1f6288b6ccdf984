import { form } from "#app/_lib/form";
import { consentWays } from "../consent-fields";

export const POST = form({
  procedure: ({ consents }, sent) =>
    consents.giveBack({ consentId: sent.get("consent_id"), scopes: sent.getAll("scope") }),
  ...consentWays("restored"),
});
