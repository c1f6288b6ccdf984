"use client";

import { type FormEvent, useEffect, useRef, useState } from "react";
import type { z } from "zod";
import type { ApplicationInput } from "#server/oauth/clients/contract";
import { changedIdentity } from "#server/oauth/clients/identity";
import type { ScopeName } from "#server/scopes";

/** The privacy statements, in the order of the form; the first five must be made. */
export const statementNames = ["data", "use", "retention", "deletion", "sharing", "contact", "protection"] as const;
export type StatementName = (typeof statementNames)[number];

/** An application as it is typed, not checked yet. */
export interface TypedApplication extends Omit<ApplicationInput, "kind" | "privacy"> {
  readonly kind: ApplicationInput["kind"] | undefined;
  readonly privacy: Readonly<Partial<Record<StatementName, string>>>;
}

/** What stands in the form. Empty lines among the redirect URIs are nothing, and only what is asked for can be optional. */
export function readForm(fields: FormData): TypedApplication {
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
    optionalScopes: (fields.getAll("optionalScopes") as ScopeName[]).filter((scope) => scopes.includes(scope)),
    clientUri: text("clientUri"),
    tosUri: text("tosUri"),
    privacyUri: text("privacyUri"),
    privacy: Object.fromEntries(statementNames.map((name) => [name, text(`privacy.${name}`)])),
  };
}

/** Whether saving would change what an admin verified. */
export const changesIdentity = (before: TypedApplication, after: TypedApplication): boolean =>
  changedIdentity(before, { ...after, redirectUris: [...new Set(after.redirectUris)] }).length > 0;

/** Faults by field: `name`, `redirectUris`, `privacy.data`. */
export type FieldFaults = Readonly<Record<string, string>>;
type Issues = readonly { readonly field: string; readonly message: string }[];

/**
 * The first fault of each field. A fault of one item of a list, which is one line of a field, says which: "Line 2: …".
 * @param issues paths joined by dots, as the server's `fields` and the schema's issues both give them
 */
export function faultsOf(issues: Issues): FieldFaults {
  const faults: Record<string, string> = {};
  for (const { field, message } of issues) {
    const item = /^(.+)\.(\d+)$/.exec(field);
    const name = item?.[1] ?? field;
    faults[name] ??= item ? `Line ${Number(item[2]) + 1}: ${message}` : message;
  }
  return faults;
}

export const issuesOf = (error: z.core.$ZodError): Issues =>
  error.issues.map(({ path, message }) => ({ field: path.join("."), message }));

export type ApplicationForm = ReturnType<typeof useApplicationForm>;

/** The form of an application: the browser keeps what is typed, the server's own schema checks it. */
export function useApplicationForm(initial: TypedApplication) {
  const frame = useRef<HTMLFormElement>(null);
  // What the fields begin with; they are drawn anew when it is replaced.
  const [start, setStart] = useState({ values: initial, key: 0 });
  const [typed, setTyped] = useState(initial);
  const [faults, setFaults] = useState<FieldFaults>({});

  const read = () => (frame.current ? readForm(new FormData(frame.current)) : initial);

  // biome-ignore lint/correctness/useExhaustiveDependencies: once, for what was typed before the script came.
  useEffect(() => setTyped(read()), []);

  const refused = useRef(false);
  // Once the faults are drawn: earlier the field is not marked yet.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the faults are read off the page.
  useEffect(() => {
    if (refused.current) frame.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus();
    refused.current = false;
  }, [faults]);

  function refuse(found: FieldFaults): void {
    refused.current = true;
    setFaults(found);
  }

  return {
    frame,
    start,
    typed,
    faults,
    /** For the form itself. What is changed loses its fault. */
    onChange(event: FormEvent<HTMLFormElement>) {
      const { name } = event.target as HTMLInputElement;
      setTyped(read());
      setFaults((now) => Object.fromEntries(Object.entries(now).filter(([field]) => field !== name)));
    },
    /** Checks these fields alone, and shows their faults. @returns whether there are none */
    async check(fields: readonly string[]): Promise<boolean> {
      const found = Object.entries((await parse(read())).faults).filter(([field]) => fields.includes(field));
      refuse(Object.fromEntries(found));
      return found.length === 0;
    },
    /** The checked input; undefined (and all faults shown) while there are any. */
    async input(): Promise<ApplicationInput | undefined> {
      const parsed = await parse(read());
      refuse(parsed.faults);
      return parsed.input;
    },
    replace(values: TypedApplication) {
      setStart(({ key }) => ({ values, key: key + 1 }));
      setTyped(values);
      setFaults({});
    },
    /** Shows what was refused, and goes to the first fault. */
    refuse,
  };
}

/** The schema comes when it is first needed: the page itself does without it. */
async function parse(typed: TypedApplication) {
  const { config } = await import("zod/v4/core");
  // zod would try whether it may compile with `new Function`, which the Content Security Policy refuses and reports.
  config({ jitless: true });
  const { ApplicationInput } = await import("#server/oauth/clients/contract");
  const { data, error } = ApplicationInput.safeParse(typed);
  return { input: data, faults: error ? faultsOf(issuesOf(error)) : {} };
}
