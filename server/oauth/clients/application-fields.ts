import type { ClientKind } from "./client";
import type { ApplicationChanges } from "./contract";

const neededPages = {
  clientUri: "Home page",
  tosUri: "Terms of service",
  privacyUri: "Privacy policy",
} as const;
const statementLabels = {
  data: "What data you collect",
  use: "What you use it for",
  retention: "How long you keep it",
  deletion: "How a player can have it deleted",
  sharing: "Who you share it with",
} as const;

type Told = Pick<ApplicationChanges, keyof typeof neededPages | "privacy" | "redirectUris">;

export interface MissingField {
  readonly field: string;
  readonly label: string;
}

/** An application with missing fields is in test: only its team and test players may approve it. */
export function missingForPlayers(kind: ClientKind, application: Readonly<Told>): MissingField[] {
  const { redirectUris, privacy } = application;
  const redirect = { field: "redirectUris", label: "A redirect URI" };
  return [
    ...(kind === "confidential" && redirectUris.length === 0 ? [redirect] : []),
    ...entriesOf(neededPages).flatMap(([field, label]) =>
      application[field] === "" ? [{ field, label }] : [],
    ),
    ...entriesOf(statementLabels).flatMap(([name, label]) =>
      privacy[name] ? [] : [{ field: `privacy.${name}`, label }],
    ),
  ];
}

const entriesOf = <Key extends string>(labels: Readonly<Record<Key, string>>) =>
  Object.entries(labels) as [Key, string][];

type Identity = { readonly [Field in IdentityField]: Readonly<ApplicationChanges[Field]> };
type IdentityField = (typeof identityFields)[number];

const identityFields = [
  "name",
  "redirectUris",
  "scopes",
  "clientUri",
  "tosUri",
  "privacyUri",
] as const;

/**
 * The order of a list, the privacy statements and the choice of optional scopes are not part of the
 * verified identity.
 */
export const changedIdentityFields = (before: Identity, after: Identity): IdentityField[] =>
  identityFields.filter((field) => comparable(before[field]) !== comparable(after[field]));

const comparable = (value: string | readonly string[]): string =>
  typeof value === "string" ? value : JSON.stringify([...value].sort());
