import { form } from "#app/_lib/form";
import { consentWays } from "../consent-fields";

/** Scopes that had a box, and those still ticked. */
export const POST = form({
  procedure: ({ consents }, sent) =>
    consents.narrow({
      consentId: sent.get("consent_id"),
      shown: sent.getAll("shown"),
      keep: sent.getAll("scope"),
    }),
  ...consentWays("narrowed"),
});
