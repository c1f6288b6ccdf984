"use client";

import { type FormEvent, useEffect, useRef, useState } from "react";
import { fieldIssuesOf, type ProcedureError } from "#app/_lib/refusal";
import { InputField, TextareaField } from "#app/_ui/field.tsx";
import type { ApplicationInput } from "#server/oauth/clients/contract";
import {
  type ApplicationFormValues,
  type FieldFaults,
  fieldFaultsOf,
  readApplicationForm,
} from "./application-form-values";

export type ApplicationFormState = ReturnType<typeof useApplicationForm>;

export function useApplicationForm(initial: ApplicationFormValues, found: FieldFaults = {}) {
  const frame = useRef<HTMLFormElement>(null);
  // Initial values of the fields; a new `key` redraws them.
  const [start, setStart] = useState({ values: initial, key: 0 });
  const [typed, setTyped] = useState(initial);
  const [faults, setFaults] = useState(found);

  const read = () => (frame.current ? readApplicationForm(new FormData(frame.current)) : initial);

  // biome-ignore lint/correctness/useExhaustiveDependencies: once, for input typed before the script loaded.
  useEffect(() => setTyped(read()), []);

  const refused = useRef(false);
  // Runs after rendering, which marks the field as invalid.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the faults are read off the page.
  useEffect(() => {
    if (refused.current) frame.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus();
    refused.current = false;
  }, [faults]);

  return {
    frame,
    start,
    typed,
    faults,
    /** An edit clears its field's fault. */
    onChange(event: FormEvent<HTMLFormElement>) {
      const { name } = event.target as HTMLInputElement;
      setTyped(read());
      setFaults((now) =>
        Object.fromEntries(Object.entries(now).filter(([field]) => field !== name)),
      );
    },
    /** The values are unparsed, because the procedure's schema parses them. */
    input: () => read() as ApplicationInput,
    replace(values: ApplicationFormValues) {
      setStart(({ key }) => ({ values, key: key + 1 }));
      setTyped(values);
      setFaults({});
    },
    /** The effect above then focuses the first faulty field. */
    onError(refusal: ProcedureError) {
      refused.current = true;
      setFaults(fieldFaultsOf(fieldIssuesOf(refusal)));
    },
  };
}

/** Keeps unsaved input in the tab's storage, so that it survives a reload or a sign-in. */
export function useFormDraft(key: string, form: ApplicationFormState, unsaved: boolean): void {
  const { typed, replace } = form;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the page is shown.
  useEffect(() => {
    const kept = sessionStorage.getItem(key);
    if (kept) replace(JSON.parse(kept));
  }, []);
  useEffect(() => {
    if (unsaved) sessionStorage.setItem(key, JSON.stringify(typed));
    else sessionStorage.removeItem(key);
  }, [key, typed, unsaved]);
}

type Props = { form: ApplicationFormState };

export const NameField = ({ form: { start, faults } }: Props) => (
  <InputField
    name="name"
    label="Name"
    hint="Shown to players on the consent page. At most 60 characters."
    error={faults.name}
    autoComplete="off"
    defaultValue={start.values.name}
  />
);

const notes = { confidential: "needed to open to players", public: "optional" } as const;

export const RedirectField = ({ form: { start, typed, faults } }: Props) => (
  <TextareaField
    name="redirectUris"
    label="Redirect URIs"
    required={false}
    note={typed.kind ? notes[typed.kind] : ""}
    error={faults.redirectUris}
    hint={
      <>
        One per line, https, at most ten, no wildcards. They must match exactly. Leave this empty to
        use the hosted callback: a page of ours that shows you the code, or hands it on to
        localhost.
      </>
    }
    code
    rows={3}
    placeholder="https://example.com/oauth/callback"
    defaultValue={start.values.redirectUris.join("\n")}
  />
);
