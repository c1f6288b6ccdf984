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

/** The browser keeps the input, the server's schema validates it. */
export function useApplicationForm(initial: TypedApplication, found: FieldFaults = {}) {
  const frame = useRef<HTMLFormElement>(null);
  // Initial values; replacing them redraws the fields.
  const [start, setStart] = useState({ values: initial, key: 0 });
  const [typed, setTyped] = useState(initial);
  const [faults, setFaults] = useState(found);

  const read = () => (frame.current ? readApplicationForm(new FormData(frame.current)) : initial);

  // biome-ignore lint/correctness/useExhaustiveDependencies: once, for input typed before the script loaded.
  useEffect(() => setTyped(read()), []);

  const refused = useRef(false);
  // After rendering: earlier the field is not marked.
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
    /** An edit clears its field's fault. */
    onChange(event: FormEvent<HTMLFormElement>) {
      const { name } = event.target as HTMLInputElement;
      setTyped(read());
      setFaults((now) =>
        Object.fromEntries(Object.entries(now).filter(([field]) => field !== name)),
      );
    },
    /** Validated input; undefined if there are faults, which are then shown. */
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
    refuse,
  };
}

/** Loaded on demand, to keep zod out of the page's script. */
async function parse(typed: TypedApplication) {
  const { config } = await import("zod/v4/core");
  // zod would probe `new Function`, which the Content Security Policy blocks and reports.
  config({ jitless: true });
  const { ApplicationInput } = await import("#server/oauth/clients/contract");
  const { data, error } = ApplicationInput.safeParse(typed);
  return { input: data, faults: error ? faultsOf(issuesOf(error)) : {} };
}
