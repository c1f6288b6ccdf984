"use client";

import { MonitorSmartphone, Server } from "lucide-react";
import { type FormEvent, lazy, type ReactNode, Suspense } from "react";
import { trpc } from "#app/_lib/trpc";
import { RefusalAlert } from "#app/_parts/refusal-alert.tsx";
import { Button } from "#app/_ui/button.tsx";
import { Card } from "#app/_ui/card.tsx";
import { Checkbox } from "#app/_ui/checkbox.tsx";
import { RadioCards } from "#app/_ui/radio-cards.tsx";
import { StepProgress } from "#app/_ui/steps.tsx";
import {
  type ApplicationFormState,
  NameField,
  RedirectField,
  useApplicationForm,
  useFormDraft,
} from "./application-form";
import { type ApplicationFormValues, type FieldFaults, isEdited } from "./application-form-values";

/** Loaded only with credentials, because the panel brings samples for four clients. */
const NewCredentials = lazy(async () => ({
  default: (await import("./new-credentials")).NewCredentialsPanel,
}));

const page = "/developers/new";
const steps = ["Register", "Credentials", "Open to players"];

type Props = {
  baseUrl: string;
  playerId: number;
  initial: ApplicationFormValues;
  faults: FieldFaults;
  children: ReactNode;
};

export function NewApplicationForm({ baseUrl, playerId, initial, faults, children }: Props) {
  const form = useApplicationForm(initial, faults);
  const create = trpc.applications.create.useMutation({
    onSuccess: () => window.scrollTo({ top: 0 }),
    onError: form.onError,
  });

  const unsaved = isEdited(initial, form.typed) && !create.isSuccess;
  useFormDraft(`new-application ${playerId}`, form, unsaved);

  function submit(event: FormEvent) {
    event.preventDefault();
    create.mutate(form.input());
  }

  if (create.isSuccess)
    return (
      <div className="grid gap-6">
        <StepProgress label="Registration" steps={steps} current={1} />
        <Suspense>
          <NewCredentials
            baseUrl={baseUrl}
            application={create.variables}
            credentials={create.data}
          />
        </Suspense>
      </div>
    );
  return (
    <form
      ref={form.frame}
      method="post"
      action={`${page}/register`}
      onChange={form.onChange}
      onSubmit={submit}
      className="grid gap-6"
    >
      {children}
      <StepProgress label="Registration" steps={steps} current={0} />
      <Card
        footer={
          <>
            <span>You can change all but the kind later.</span>
            <Button type="submit" variant="primary" busy={create.isPending}>
              Register
            </Button>
          </>
        }
      >
        <div key={form.start.key} className="grid gap-6">
          <RefusalAlert refused={create.error} here={page} />
          <KindField form={form} />
          <NameField form={form} />
          <RedirectField form={form} />
          <Checkbox
            name="scopes"
            value="identity"
            defaultChecked={form.start.values.scopes.includes("identity")}
            label={
              <>
                Ask who the player is{" "}
                <code className="ml-1 font-mono text-xs text-ink-faint">identity</code>
              </>
            }
            hint="The scope of a first call. You choose all others in the settings."
          />
        </div>
      </Card>
    </form>
  );
}

/** The kind is immutable, because tokens and clients rely on it. */
const KindField = ({ form: { start, faults } }: { form: ApplicationFormState }) => (
  <RadioCards
    name="kind"
    legend="Where does it run?"
    hint="This cannot be changed later."
    defaultValue={start.values.kind}
    error={faults.kind}
    options={[
      {
        value: "confidential",
        label: "On a server",
        icon: <Server className="size-4 text-ink-faint" />,
        hint: "A website or bot that can keep a secret. Gets refresh tokens.",
      },
      {
        value: "public",
        label: "On the player's device",
        icon: <MonitorSmartphone className="size-4 text-ink-faint" />,
        hint: "A userscript, desktop or mobile app. No secret, always PKCE, no refresh tokens.",
      },
    ]}
  />
);
