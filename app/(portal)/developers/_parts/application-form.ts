"use client";

import { type FormEvent, useEffect, useRef, useState } from "react";
import type { ApplicationInput } from "#server/oauth/clients/contract";
import {
  type FieldFaults,
  faultsOf,
  issuesOf,
  readApplicationForm,
  type TypedApplication,
} from "./typed-application";

export type ApplicationForm = ReturnType<typeof useApplicationForm>;

/** The form of an application: the browser keeps what is typed, the server's own schema checks it. */
export function useApplicationForm(initial: TypedApplication, found: FieldFaults = {}) {
  const frame = useRef<HTMLFormElement>(null);
  // The first values of the fields; these are drawn again when it is replaced.
  const [start, setStart] = useState({ values: initial, key: 0 });
  const [typed, setTyped] = useState(initial);
  const [faults, setFaults] = useState(found);

  const read = () => (frame.current ? readApplicationForm(new FormData(frame.current)) : initial);

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
    /** For the form itself. A changed field loses its fault. */
    onChange(event: FormEvent<HTMLFormElement>) {
      const { name } = event.target as HTMLInputElement;
      setTyped(read());
      setFaults((now) =>
        Object.fromEntries(Object.entries(now).filter(([field]) => field !== name)),
      );
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
    /** Shows the faults, and focuses the first field that has one. */
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
