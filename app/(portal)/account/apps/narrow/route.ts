import { z } from "zod";
import { form } from "#app/_lib/form";
import { consentFields, consentWays } from "../consent-fields";

export const POST = form({
  /** Scopes that had a box, and those still ticked. */
  fields: consentFields.extend({ shown: z.array(z.string()), scope: z.array(z.string()) }),
  procedure: ({ consents }, { consent_id: consentId, shown, scope: keep }) =>
    consents.narrow({ consentId, shown, keep }),
  ...consentWays("narrowed"),
});
