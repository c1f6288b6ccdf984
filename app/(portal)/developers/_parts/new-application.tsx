"use client";

import { type FormEvent, useState } from "react";
import type { Refusal } from "#app/_lib/refusal";
import { trpc } from "#app/_lib/trpc";
import { RefusalAlert } from "#app/_parts/refusal-alert.tsx";
import { Button } from "#app/_ui/button.tsx";
import { Card } from "#app/_ui/card.tsx";
import { StepProgress } from "#app/_ui/steps.tsx";
import { AddressFields, KindField, NameField, PrivacyFields, ScopeFields } from "./application-fields";
import { faultsOf, statementNames, type TypedApplication, useApplicationForm } from "./application-form";
import { NewCredentials } from "./new-credentials";

/** The steps of the registration, with the fields that each one asks for. */
const steps = [
  { title: "Kind", fields: ["kind", "name"] },
  { title: "Addresses", fields: ["redirectUris", "clientUri", "tosUri", "privacyUri"] },
  { title: "Scopes", fields: ["scopes", "optionalScopes"] },
  { title: "Privacy", fields: statementNames.map((name) => `privacy.${name}`) },
] as const;
const titles = [...steps.map(({ title }) => title), "Credentials"];
const lastStep = steps.length - 1;

const empty: TypedApplication = {
  kind: undefined,
  name: "",
  redirectUris: [],
  scopes: [],
  optionalScopes: [],
  clientUri: "",
  tosUri: "",
  privacyUri: "",
  privacy: {},
};

/** The short path from nothing to credentials. Each step is checked before the next one. */
export function NewApplication({ baseUrl }: { baseUrl: string }) {
  const form = useApplicationForm(empty);
  const [step, setStep] = useState(0);
  const [checking, setChecking] = useState(false);
  const create = trpc.applications.create.useMutation({
    onSuccess: () => window.scrollTo({ top: 0 }),
    onError: showRefused,
  });

  function go(to: number) {
    setStep(to);
    // The new step begins at its top, also for those who do not see the page.
    requestAnimationFrame(() => form.frame.current?.focus());
  }

  function showRefused({ data }: Refusal) {
    const faults = faultsOf(data?.fields ?? []);
    const faulty = steps.findIndex(({ fields }) => fields.some((field) => field in faults));
    if (faulty >= 0) setStep(faulty);
    form.refuse(faults);
  }

  /** Busy from the first click on: the second one of a double click must not register a second time. */
  async function submit(event: FormEvent) {
    event.preventDefault();
    create.reset();
    setChecking(true);
    await onward().finally(() => setChecking(false));
  }

  async function onward() {
    if (step < lastStep) return (await form.check(steps[step]?.fields ?? [])) && go(step + 1);
    const input = await form.input();
    if (input) create.mutate(input);
  }

  if (create.isSuccess)
    return (
      <div className="grid gap-6">
        <StepProgress label="Registration" steps={titles} current={titles.length - 1} />
        <NewCredentials baseUrl={baseUrl} application={create.variables} credentials={create.data} />
      </div>
    );
  return (
    <form
      ref={form.frame}
      tabIndex={-1}
      onChange={form.onChange}
      onSubmit={submit}
      noValidate
      className="grid gap-6 outline-none"
    >
      <StepProgress label="Registration" steps={titles} current={step} />
      <Card
        footer={
          <>
            {step > 0 ? <Button onClick={() => go(step - 1)}>Back</Button> : <span />}
            <Button type="submit" variant="primary" busy={checking || create.isPending}>
              {step === lastStep ? "Register" : "Continue"}
            </Button>
          </>
        }
      >
        <div className="grid gap-6">
          <RefusalAlert refused={create.error} here="/developers/new" />
          <div hidden={step !== 0} className="grid gap-6">
            <KindField form={form} />
            <NameField form={form} />
          </div>
          <div hidden={step !== 1}>
            <AddressFields form={form} />
          </div>
          <div hidden={step !== 2}>
            <ScopeFields form={form} />
          </div>
          <div hidden={step !== 3}>
            <PrivacyFields form={form} />
          </div>
        </div>
      </Card>
    </form>
  );
}
