import { formHandler } from "#app/_lib/form";
import { consentFormOptions } from "../consent-form-options";

export const POST = formHandler({
  procedure: ({ consents }, sent) => consents.pause({ consentId: sent.get("consent_id") }),
  ...consentFormOptions("paused"),
});
