import type { FailedAttempt } from "#server/oauth/clients/attempts/failed-attempt";

const headers: Readonly<Record<NonNullable<FailedAttempt["authorization"]>, string>> = {
  none: "no Authorization header",
  basic: "a Basic header with a secret",
  "basic-empty-secret": "a Basic header with an empty secret",
  "basic-malformed": "a malformed Basic header",
  "other-scheme": "an Authorization header that is not Basic",
};

/** How a refused token request was authenticated and which parameters it had; undefined where that was not recorded. */
export function sentInWords({
  authorization,
  fields,
  emptyFields,
}: Pick<FailedAttempt, "authorization" | "fields" | "emptyFields">): string | undefined {
  if (authorization === null) return undefined;
  const sent = fields && fields.length > 0 ? `in the body ${fields.join(", ")}` : "no known parameter";
  const empty = emptyFields && emptyFields.length > 0 ? `; empty: ${emptyFields.join(", ")}` : "";
  return `Sent: ${headers[authorization]}; ${sent}${empty}.`;
}
