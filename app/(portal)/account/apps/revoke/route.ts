import { z } from "zod";
import { form } from "#app/_lib/form";
import { consentFields, consentWays } from "../consent-fields";

/** One application's access, or all. Where it was revoked already, what was asked for holds. */
export const POST = form({
  fields: consentFields.extend({ all: z.literal("yes").optional() }),
  procedure: ({ consents }, { consent_id: consentId, all }) =>
    all && !consentId ? consents.revokeAll() : consents.revoke({ consentId }),
  ...consentWays("revoked", "revoked"),
});
