import { formHandler } from "#app/_lib/form";
import { consentFormOptions } from "../consent-form-options";

export const POST = formHandler({
  procedure: ({ consents }, sent) =>
    consents.narrow({
      consentId: sent.get("consent_id"),
      shown: sent.getAll("shown"),
      keep: sent.getAll("scope"),
    }),
  ...consentFormOptions("narrowed"),
});
