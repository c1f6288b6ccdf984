import { z } from "zod";
import { form } from "#app/_lib/form";
import { consentFields, consentWays } from "../consent-fields";

/** One application or all. Idempotent. */
export const POST = form({
  fields: consentFields.extend({ all: z.literal("yes").optional() }),
  procedure: ({ consents }, { consent_id: consentId, all }) =>
    all && !consentId ? consents.revokeAll() : consents.revoke({ consentId }),
  ...consentWays("revoked", "revoked"),
});
