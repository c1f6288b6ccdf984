import { formHandler } from "#app/_lib/form";
import { consentFormOptions } from "../consent-form-options";

export const POST = formHandler({
  procedure: ({ consents }, sent) => consents.resume({ consentId: sent.get("consent_id") }),
  ...consentFormOptions("resumed"),
});
