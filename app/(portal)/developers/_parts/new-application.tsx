"use client";

import { type FormEvent, lazy, Suspense, useRef, useState } from "react";
import { useAct } from "#app/_lib/use-act";
import { Button } from "#app/_ui/button.tsx";
import { Card } from "#app/_ui/card.tsx";
import { StepProgress } from "#app/_ui/step-progress.tsx";
import type { ApplicationInput } from "#server/oauth/clients/contract";
import { AddressFields } from "./address-fields";
import { emptyDraft, faultsOf } from "./application-draft";
import { firstFaultyStep, formSteps } from "./form-steps";
import { KindFields } from "./kind-fields";
import { NameField } from "./name-field";
import { PrivacyFields } from "./privacy-fields";
import { type Refused, readRefusal } from "./read-refusal";
import { RefusalAlert } from "./refusal-alert";
import { ScopeFields } from "./scope-fields";
import { useApplicationForm } from "./use-application-form";

const steps = [...formSteps.map(({ title }) => title), "Credentials"];
const lastStep = formSteps.length - 1;

const loadCredentials = () => import("./new-credentials").then(({ NewCredentials }) => ({ default: NewCredentials }));
const NewCredentials = lazy(loadCredentials);

type Registered = { application: ApplicationInput; credentials: { clientId: string; clientSecret: string | null } };

/** The short path from nothing to credentials. Each step is checked before the next one. */
export function NewApplication({ baseUrl }: { baseUrl: string }) {
  const form = useApplicationForm(emptyDraft);
  const [step, setStep] = useState(0);
  const [refused, setRefused] = useState<Refused>();
  const [registered, setRegistered] = useState<Registered>();
  const create = useAct((portal, input: ApplicationInput) => portal.applications.create.mutate(input));
  const frame = useRef<HTMLFormElement>(null);
  const underWay = useRef(false);

  function go(to: number) {
    setStep(to);
    // The new step begins at its top, also for those who do not see the page.
    requestAnimationFrame(() => frame.current?.focus());
  }

  function showFirstFault() {
    requestAnimationFrame(() => frame.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus());
  }

  /** The second click of a double one comes before the first has been checked; it must not register a second time. */
  async function submit(event: FormEvent) {
    event.preventDefault();
    if (underWay.current) return;
    underWay.current = true;
    await onward().finally(() => {
      underWay.current = false;
    });
  }

  async function onward() {
    setRefused(undefined);
    const fine = await form.check(formSteps[step]?.fields ?? []);
    if (!fine) return showFirstFault();
    if (step < lastStep) return go(step + 1);
    const input = await form.input();
    if (!input) return showFirstFault();
    try {
      // Before the act: a secret that is shown once must not wait for the code that shows it.
      await loadCredentials();
      setRegistered({ application: input, credentials: await create.run(input) });
      window.scrollTo({ top: 0 });
    } catch (thrown) {
      const why = readRefusal(thrown);
      setRefused(why);
      form.refuse(why.fields);
      const faulty = firstFaultyStep(faultsOf(why.fields));
      if (faulty !== undefined) setStep(faulty);
      showFirstFault();
    }
  }

  if (registered)
    return (
      <div className="grid gap-6">
        <StepProgress label="Registration" steps={steps} current={steps.length - 1} />
        <Suspense>
          <NewCredentials baseUrl={baseUrl} {...registered} />
        </Suspense>
      </div>
    );
  return (
    <form ref={frame} tabIndex={-1} onSubmit={submit} noValidate className="grid gap-6 outline-none">
      <StepProgress label="Registration" steps={steps} current={step} />
      <Card
        footer={
          <>
            {step > 0 ? <Button onClick={() => go(step - 1)}>Back</Button> : <span />}
            <Button type="submit" variant="primary" busy={create.busy}>
              {step === lastStep ? "Register" : "Continue"}
            </Button>
          </>
        }
      >
        <div className="grid gap-6">
          <RefusalAlert refused={refused} here="/developers/new" />
          {step === 0 && <KindFields form={form} />}
          {step === 0 && <NameField form={form} />}
          {step === 1 && <AddressFields form={form} />}
          {step === 2 && <ScopeFields form={form} />}
          {step === 3 && <PrivacyFields form={form} />}
        </div>
      </Card>
    </form>
  );
}
