import { form } from "#app/_lib/form";
import { consentWays } from "../consent-fields";

/** Withdraws the scopes that had a box and were unticked. */
export const POST = form({
  procedure: ({ consents }, sent) =>
    consents.narrow({
      consentId: sent.get("consent_id"),
      shown: sent.getAll("shown"),
      keep: sent.getAll("scope"),
    }),
  ...consentWays("narrowed"),
});
