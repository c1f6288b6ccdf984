import type { ClientKind } from "./client";
import type { ApplicationChanges } from "./contract";

/*
 * An application is in test until its developer said what the consent page tells players. Until then only its owner may approve it.
 */

const pages = { clientUri: "Home page", tosUri: "Terms of service", privacyUri: "Privacy policy" } as const;
const statements = {
  data: "What data you collect",
  use: "What you use it for",
  retention: "How long you keep it",
  deletion: "How a player can have it deleted",
  sharing: "Who you share it with",
} as const;

type Told = Pick<ApplicationChanges, keyof typeof pages | "privacy" | "redirectUris">;

/** Something that is still to be said, by the name of its form field. */
export interface MissingField {
  readonly field: string;
  readonly label: string;
}

/** What is missing before other players can approve the application; nothing where they can. */
export function missingForPlayers(kind: ClientKind, application: Readonly<Told>): MissingField[] {
  const { redirectUris, privacy } = application;
  const redirect = { field: "redirectUris", label: "A redirect URI" };
  return [
    ...(kind === "confidential" && redirectUris.length === 0 ? [redirect] : []),
    ...entries(pages).flatMap(([field, label]) => (application[field] === "" ? [{ field, label }] : [])),
    ...entries(statements).flatMap(([name, label]) => (privacy[name] ? [] : [{ field: `privacy.${name}`, label }])),
  ];
}

const entries = <Key extends string>(labels: Readonly<Record<Key, string>>) =>
  Object.entries(labels) as [Key, string][];

/** Statements that must be made. */
export const neededStatements = Object.keys(statements);
