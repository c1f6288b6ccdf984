import type { z } from "zod";
import type { FieldIssues } from "#app/_lib/refusal";
import { changedIdentity } from "#server/oauth/clients/application-fields";
import type { ApplicationInput } from "#server/oauth/clients/contract";
import type { ScopeName } from "#server/scopes";

/** The privacy statements, in the order of the form; the first five must be made. */
export const statementNames = [
  "data",
  "use",
  "retention",
  "deletion",
  "sharing",
  "contact",
  "protection",
] as const;
export type StatementName = (typeof statementNames)[number];

/** An application as it is typed, not checked yet. */
export interface TypedApplication extends Omit<ApplicationInput, "kind" | "privacy"> {
  readonly kind: ApplicationInput["kind"] | undefined;
  readonly privacy: Readonly<Partial<Record<StatementName, string>>>;
}

/** Reads the form. Empty lines among the redirect URIs are left out, and only a requested scope can be optional. */
export function readApplicationForm(fields: Pick<FormData, "get" | "getAll">): TypedApplication {
  const text = (name: string) => String(fields.get(name) ?? "").trim();
  const kind = text("kind");
  const scopes = fields.getAll("scopes") as ScopeName[];
  return {
    kind: kind === "public" || kind === "confidential" ? kind : undefined,
    name: text("name"),
    redirectUris: text("redirectUris")
      .split("\n")
      .map((line) => line.trim())
      .filter((line) => line !== ""),
    scopes,
    optionalScopes: (fields.getAll("optionalScopes") as ScopeName[]).filter((scope) =>
      scopes.includes(scope),
    ),
    clientUri: text("clientUri"),
    tosUri: text("tosUri"),
    privacyUri: text("privacyUri"),
    privacy: Object.fromEntries(statementNames.map((name) => [name, text(`privacy.${name}`)])),
  };
}

/** Whether saving would change a field that an admin verified. */
export const changesIdentity = (before: TypedApplication, after: TypedApplication): boolean =>
  changedIdentity(before, { ...after, redirectUris: [...new Set(after.redirectUris)] }).length > 0;

/** Faults by field: `name`, `redirectUris`, `privacy.data`. */
export type FieldFaults = Readonly<Record<string, string>>;

/**
 * The first fault of each field. A fault of one item of a list, which is one line of a field, says which: "Line 2: …".
 * @param issues paths joined by dots, as the server's `fields` and the schema's issues both give them
 */
export function faultsOf(issues: FieldIssues): FieldFaults {
  const faults: Record<string, string> = {};
  for (const { field, message } of issues) {
    const item = /^(.+)\.(\d+)$/.exec(field);
    const name = item?.[1] ?? field;
    faults[name] ??= item ? `Line ${Number(item[2]) + 1}: ${message}` : message;
  }
  return faults;
}

export const issuesOf = (error: z.core.$ZodError): FieldIssues =>
  error.issues.map(({ path, message }) => ({ field: path.join("."), message }));
