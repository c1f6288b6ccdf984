import type { z } from "zod";
import type { ApplicationInput } from "#server/oauth/clients/contract";
import { changedIdentity } from "#server/oauth/clients/identity";
import type { ScopeName } from "#server/scopes";

/** The privacy statements, in the order of the form; the first five must be made. */
export const statementNames = ["data", "use", "retention", "deletion", "sharing", "contact", "protection"] as const;
export type StatementName = (typeof statementNames)[number];

/** An application as it stands in a form: all text, nothing checked. */
export interface ApplicationDraft {
  readonly kind: "confidential" | "public" | "";
  readonly name: string;
  /** One on each line. */
  readonly redirectUris: string;
  readonly scopes: readonly ScopeName[];
  /** May name scopes that are not chosen any more: ticking one again brings its mark back. */
  readonly optionalScopes: readonly ScopeName[];
  readonly clientUri: string;
  readonly tosUri: string;
  readonly privacyUri: string;
  readonly privacy: Readonly<Record<StatementName, string>>;
}

const noStatements = { data: "", use: "", retention: "", deletion: "", sharing: "", contact: "", protection: "" };

export const emptyDraft: ApplicationDraft = {
  kind: "",
  name: "",
  redirectUris: "",
  scopes: [],
  optionalScopes: [],
  clientUri: "",
  tosUri: "",
  privacyUri: "",
  privacy: noStatements,
};

/** A registered application as a form shows it. */
export const draftOf = (application: ApplicationInput): ApplicationDraft => ({
  kind: application.kind,
  name: application.name,
  redirectUris: application.redirectUris.join("\n"),
  scopes: application.scopes,
  optionalScopes: application.optionalScopes,
  clientUri: application.clientUri,
  tosUri: application.tosUri,
  privacyUri: application.privacyUri,
  privacy: { ...noStatements, ...application.privacy },
});

/** What the schema is asked to accept: empty lines among the redirect URIs are nothing, not faults. */
export const inputOf = (draft: ApplicationDraft): unknown => ({
  ...draft,
  kind: draft.kind === "" ? undefined : draft.kind,
  optionalScopes: draft.optionalScopes.filter((scope) => draft.scopes.includes(scope)),
  redirectUris: linesOf(draft.redirectUris),
});

/** The entries of a field with one on each line. */
export const linesOf = (text: string): string[] =>
  text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");

/** Whether saving would change what an admin verified. */
export const changesIdentity = (before: ApplicationDraft, after: ApplicationDraft): boolean =>
  changedIdentity(asStored(before), asStored(after)).length > 0;

const asStored = (draft: ApplicationDraft) => ({
  name: draft.name.trim(),
  redirectUris: [...new Set(linesOf(draft.redirectUris))],
  scopes: draft.scopes,
  clientUri: draft.clientUri.trim(),
  tosUri: draft.tosUri.trim(),
  privacyUri: draft.privacyUri.trim(),
});

/** Faults by field: `name`, `redirectUris`, `privacy.data`. */
export type FieldFaults = Readonly<Record<string, string>>;

/**
 * The first fault of each field. A fault of one item of a list, which is one line of a field, says which: "Line 2: …".
 * @param issues paths joined by dots, as the server's `fields` and the schema's issues both give them
 */
export function faultsOf(issues: readonly { readonly field: string; readonly message: string }[]): FieldFaults {
  const faults: Record<string, string> = {};
  for (const { field, message } of issues) {
    const item = /^(.+)\.(\d+)$/.exec(field);
    const name = item?.[1] ?? field;
    faults[name] ??= item ? `Line ${Number(item[2]) + 1}: ${message}` : message;
  }
  return faults;
}

export const issuesOf = (error: z.core.$ZodError) =>
  error.issues.map(({ path, message }) => ({ field: path.join("."), message }));
