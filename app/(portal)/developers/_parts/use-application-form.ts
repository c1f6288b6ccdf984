"use client";

import { useState } from "react";
import type { ApplicationInput } from "#server/oauth/clients/contract";
import {
  type ApplicationDraft,
  type FieldFaults,
  faultsOf,
  inputOf,
  issuesOf,
  type StatementName,
} from "./application-draft";

/** What the parts of the form are handed. */
export interface ApplicationForm {
  readonly draft: ApplicationDraft;
  readonly faults: FieldFaults;
  readonly change: (changes: Partial<Omit<ApplicationDraft, "privacy">>) => void;
  readonly state: (name: StatementName, text: string) => void;
  /** Checks by the very schema that the server checks by, and shows the faults of these fields. @returns whether there are none */
  readonly check: (fields: readonly string[]) => Promise<boolean>;
  /** The checked input; undefined (and all faults shown) while there are any. */
  readonly input: () => Promise<ApplicationInput | undefined>;
  /** Puts another draft in place of what stands in the form. */
  readonly replace: (draft: ApplicationDraft) => void;
  /** Shows what the server refused. */
  readonly refuse: (fields: readonly { readonly field: string; readonly message: string }[]) => void;
}

/** Keeps an application while it is being filled in. */
export function useApplicationForm(initial: ApplicationDraft): ApplicationForm {
  const [draft, setDraft] = useState(initial);
  const [faults, setFaults] = useState<FieldFaults>({});

  const forget = (...fields: string[]) =>
    setFaults((now) => Object.fromEntries(Object.entries(now).filter(([field]) => !fields.includes(field))));

  return {
    draft,
    faults,
    change(changes) {
      setDraft((now) => ({ ...now, ...changes }));
      forget(...Object.keys(changes));
    },
    state(name, text) {
      setDraft((now) => ({ ...now, privacy: { ...now.privacy, [name]: text } }));
      forget(`privacy.${name}`);
    },
    async check(fields) {
      const parsed = await parse(draft);
      const found = parsed.success ? {} : faultsOf(issuesOf(parsed.error));
      const here = Object.fromEntries(Object.entries(found).filter(([field]) => fields.includes(field)));
      setFaults(here);
      return Object.keys(here).length === 0;
    },
    async input() {
      const parsed = await parse(draft);
      setFaults(parsed.success ? {} : faultsOf(issuesOf(parsed.error)));
      return parsed.data;
    },
    replace(other) {
      setDraft(other);
      setFaults({});
    },
    refuse: (fields) => setFaults(faultsOf(fields)),
  };
}

/** The schema comes when it is first needed: the page itself does without it. */
async function parse(draft: ApplicationDraft) {
  const { disableZodJit } = await import("#app/_lib/disable-zod-jit");
  disableZodJit();
  const { ApplicationInput } = await import("#server/oauth/clients/contract");
  return ApplicationInput.safeParse(inputOf(draft));
}
