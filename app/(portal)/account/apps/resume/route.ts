import { form } from "#app/_lib/form";
import { consentFields, consentWays } from "../consent-fields";

export const POST = form({
  fields: consentFields,
  procedure: ({ consents }, { consent_id: consentId }) => consents.resume({ consentId }),
  ...consentWays("resumed"),
});
