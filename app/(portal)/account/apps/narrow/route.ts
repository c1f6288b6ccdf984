import { formHandler } from "#app/_lib/form";
import { consentFormOptions } from "../consent-form-options";

/** Withdraws the scopes that had a box and were unticked. */
export const POST = formHandler({
  procedure: ({ consents }, sent) =>
    consents.narrow({
      consentId: sent.get("consent_id"),
      shown: sent.getAll("shown"),
      keep: sent.getAll("scope"),
    }),
  ...consentFormOptions("narrowed"),
});
