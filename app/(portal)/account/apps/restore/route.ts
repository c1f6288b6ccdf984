import { formHandler } from "#app/_lib/form";
import { consentFormOptions } from "../consent-form-options";

export const POST = formHandler({
  procedure: ({ consents }, sent) =>
    consents.giveBack({ consentId: sent.get("consent_id"), scopes: sent.getAll("scope") }),
  ...consentFormOptions("restored"),
});
