import { type FieldFaults, statementNames } from "./application-draft";

/** The steps of the registration, with the fields that each one asks for. */
export const formSteps = [
  { title: "Kind", fields: ["kind", "name"] },
  { title: "Addresses", fields: ["redirectUris", "clientUri", "tosUri", "privacyUri"] },
  { title: "Scopes", fields: ["scopes", "optionalScopes"] },
  { title: "Privacy", fields: statementNames.map((name) => `privacy.${name}`) },
] as const;

/** The first step with a fault; undefined where there is none. */
export function firstFaultyStep(faults: FieldFaults): number | undefined {
  const at = formSteps.findIndex(({ fields }) => fields.some((field) => field in faults));
  return at < 0 ? undefined : at;
}
