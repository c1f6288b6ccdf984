import type { FieldIssues } from "#app/_lib/refusal";
import { changedIdentityFields } from "#server/oauth/clients/application-fields";
import type { ApplicationInput } from "#server/oauth/clients/contract";
import type { ScopeName } from "#server/scopes";

/** In form order; the first five are required. */
export const privacyStatementNames = [
  "data",
  "use",
  "retention",
  "deletion",
  "sharing",
  "contact",
  "protection",
] as const;
export type PrivacyStatementName = (typeof privacyStatementNames)[number];

/** Fields of the registration form that its address can fill. */
export const prefillFields = ["kind", "name", "scopes", "redirectUris"];

export interface ApplicationFormValues
  extends Omit<ApplicationInput, "kind" | "privacy" | "emblemSign" | "emblemColour"> {
  /** Null draws the emblem from the client id. */
  readonly emblemSign: string | null;
  readonly emblemColour: string | null;
  readonly kind: ApplicationInput["kind"] | undefined;
  readonly privacy: Readonly<Partial<Record<PrivacyStatementName, string>>>;
}

/** Drops empty redirect lines, and optional scopes that are not requested. */
export function readApplicationForm(fields: {
  readonly get: (name: string) => FormDataEntryValue | null | undefined;
  readonly getAll: (name: string) => readonly FormDataEntryValue[];
}): ApplicationFormValues {
  const text = (name: string) => String(fields.get(name) ?? "").trim();
  const kind = text("kind");
  const scopes = fields.getAll("scopes") as ScopeName[];
  return {
    kind: kind === "public" || kind === "confidential" ? kind : undefined,
    name: text("name"),
    description: text("description"),
    emblemSign: text("emblemSign") || null,
    emblemColour: text("emblemColour") || null,
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
    privacy: Object.fromEntries(
      privacyStatementNames.map((name) => [name, text(`privacy.${name}`)]),
    ),
  };
}

/** True if a field changes that a verification covers. */
export const changesIdentity = (
  before: ApplicationFormValues,
  after: ApplicationFormValues,
): boolean =>
  changedIdentityFields(before, { ...after, redirectUris: [...new Set(after.redirectUris)] })
    .length > 0;

/** A reordered list does not count as edited. */
export const isEdited = (base: ApplicationFormValues, typed: ApplicationFormValues): boolean =>
  (Object.keys(typed) as (keyof ApplicationFormValues)[]).some(
    (name) => comparable(base[name]) !== comparable(typed[name]),
  );

function comparable(value: ApplicationFormValues[keyof ApplicationFormValues]): string {
  if (Array.isArray(value)) return value.toSorted().join("\n");
  if (typeof value !== "object") return value ?? "";
  const texts: Readonly<Record<string, string | undefined>> = { ...value };
  return privacyStatementNames.map((name) => texts[name] ?? "").join("\n\n");
}

/** Keys such as `name`, `redirectUris`, `privacy.data`. */
export type FieldFaults = Readonly<Record<string, string>>;

/**
 * Keeps the first fault per field. Items of a list are named by line: "Line 2: …".
 * @param issues paths joined by dots
 */
export function fieldFaultsOf(issues: FieldIssues): FieldFaults {
  const faults: Record<string, string> = {};
  for (const { field, message } of issues) {
    const item = /^(.+)\.(\d+)$/.exec(field);
    const name = item?.[1] ?? field;
    faults[name] ??= item ? `Line ${Number(item[2]) + 1}: ${message}` : message;
  }
  return faults;
}
