import type { ApplicationChanges } from "./contract";

type Identity = { readonly [Field in IdentityField]: Readonly<ApplicationChanges[Field]> };
export type IdentityField = "name" | "redirectUris" | "scopes" | "clientUri" | "tosUri" | "privacyUri";

const identityFields: readonly IdentityField[] = [
  "name",
  "redirectUris",
  "scopes",
  "clientUri",
  "tosUri",
  "privacyUri",
];

/**
 * Which parts of what an admin verified are changed: the name, where codes go, the pages that say who runs it, and what it may
 * ask for. The order of a list is no part of it, nor are the privacy statements and which scopes are optional.
 */
export const changedIdentity = (before: Identity, after: Identity): IdentityField[] =>
  identityFields.filter((field) => spelled(before[field]) !== spelled(after[field]));

const spelled = (value: string | readonly string[]): string =>
  typeof value === "string" ? value : JSON.stringify([...value].sort());
