"use client";

import { useRouter } from "next/navigation";
import { type FormEvent, type ReactNode, useEffect, useState } from "react";
import { trpc } from "#app/_lib/trpc";
import { RefusalAlert } from "#app/_parts/refusal-alert.tsx";
import { Alert } from "#app/_ui/alert.tsx";
import { Button } from "#app/_ui/button.tsx";
import { Card } from "#app/_ui/card.tsx";
import { Checkbox } from "#app/_ui/checkbox.tsx";
import { InputField, TextareaField } from "#app/_ui/field.tsx";
import {
  type ApplicationFormState,
  NameField,
  RedirectField,
  useApplicationForm,
  useFormDraft,
} from "#app/(portal)/developers/_parts/application-form.tsx";
import {
  type ApplicationFormValues,
  changesIdentity,
  isEdited,
  type PrivacyStatementName,
  privacyStatementNames,
} from "#app/(portal)/developers/_parts/application-form-values";
import { scopes as everyScope } from "#server/scopes";

type Props = {
  clientId: string;
  playerId: number;
  base: ApplicationFormValues & { readonly version: number; readonly verified: boolean };
  emblems: EmblemChoices;
};

/**
 * Optimistic lock: a save fails if another save came first. The page remounts the form per version.
 */
export function ApplicationSettingsForm({ clientId, playerId, base, emblems }: Props) {
  const form = useApplicationForm(base);
  const router = useRouter();
  /** Last saved values; `base` follows at the next refresh. */
  const [stored, setStored] = useState(base);

  const update = trpc.applications.update.useMutation({
    onSuccess() {
      router.replace(`/developers/apps/${clientId}/settings?done=saved`);
      router.refresh();
    },
    onError: form.onError,
  });
  const isOutdated = update.error?.data?.reason === "APPLICATION_CHANGED";

  const unsaved = isEdited(stored, form.typed);
  useFormDraft(`settings ${playerId} ${clientId} ${stored.version}`, form, unsaved);
  useQuestionAtLeaving(unsaved);

  function discard() {
    form.replace(stored);
    update.reset();
  }

  function readAgain() {
    discard();
    router.refresh();
  }

  function save(event: FormEvent) {
    event.preventDefault();
    const { typed } = form;
    update.mutate(
      { ...form.input(), clientId, version: stored.version },
      { onSuccess: ({ version }) => setStored({ ...stored, ...typed, version }) },
    );
  }

  const removed = base.scopes.filter((scope) => !form.typed.scopes.includes(scope));
  const isOpen = unsaved || update.isPending || update.isError;
  const unverifies = base.verified && changesIdentity(base, form.typed);
  return (
    <form
      ref={form.frame}
      onChange={form.onChange}
      onSubmit={save}
      noValidate
      className="grid gap-6"
    >
      {base.verified && (
        <Alert tone={unverifies ? "warn" : "neutral"} title="This application is verified">
          {unverifies
            ? "Saving removes the verification, because you changed what was verified. An admin can verify it again."
            : "Changing the name, an address, a redirect URI or a scope removes the verification until an admin verifies it again."}
        </Alert>
      )}
      <input type="hidden" name="kind" value={base.kind} />
      <Card title="Name and addresses">
        <div key={form.start.key} className="grid gap-5">
          <NameField form={form} />
          <EmblemFields form={form} choices={emblems} />
          <AddressFields form={form} />
        </div>
      </Card>
      <Card title="Scopes">
        <ScopeFields key={form.start.key} form={form} />
        {removed.length > 0 && (
          <p className="mt-3 text-sm text-warn">
            Saving removes {removed.join(", ")} at once, also from tokens already issued.
          </p>
        )}
      </Card>
      <Card
        title="Privacy"
        footer="Players who already approved are not asked again; the consent page shows the new text."
      >
        <div className="grid gap-5">
          <PrivacyFields key={form.start.key} form={form} />
        </div>
      </Card>
      {isOpen && (
        <div
          data-fixed-bar
          className="sticky bottom-0 z-10 grid max-h-[60dvh] gap-3 overflow-y-auto border border-line bg-surface px-4 py-3 max-sm:-mx-4 max-sm:border-x-0 sm:rounded-card sm:px-5"
        >
          <RefusalAlert refused={update.error} here={`/developers/apps/${clientId}/settings`} />
          <div className="flex flex-wrap items-center justify-between gap-3">
            <span className="text-sm text-ink-soft">Unsaved changes</span>
            <span className="flex gap-3">
              <Button onClick={isOutdated ? readAgain : discard}>
                {isOutdated ? "Discard and read again" : "Discard"}
              </Button>
              {!isOutdated && (
                <Button type="submit" variant="primary" busy={update.isPending}>
                  Save settings
                </Button>
              )}
            </span>
          </div>
        </div>
      )}
    </form>
  );
}

function useQuestionAtLeaving(unsaved: boolean): void {
  useEffect(() => {
    if (!unsaved) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener("beforeunload", ask);
    return () => removeEventListener("beforeunload", ask);
  }, [unsaved]);
}

type FieldsProps = { form: ApplicationFormState };

type Choice = { readonly value: string; readonly icon: ReactNode };
/** The server draws the icons, so that the page's script does not contain them. */
type EmblemChoices = {
  readonly emblemSign: readonly Choice[];
  readonly emblemColour: readonly Choice[];
};

const drawnFromId: Choice = {
  value: "",
  icon: <span className="px-1 text-sm">Drawn from the ID</span>,
};

const emblemLegends = { emblemSign: "Sign", emblemColour: "Colour" } as const;

const EmblemFields = ({
  form: { start, faults },
  choices,
}: FieldsProps & { choices: EmblemChoices }) => (
  <>
    <InputField
      name="description"
      label="Description"
      hint="One line beside the name. At most 120 characters."
      required={false}
      error={faults.description}
      autoComplete="off"
      defaultValue={start.values.description}
    />
    {(["emblemSign", "emblemColour"] as const).map((name) => (
      <fieldset key={name}>
        <legend className="mb-1.5 text-sm font-medium">{emblemLegends[name]}</legend>
        <div className="flex flex-wrap gap-2">
          {[drawnFromId, ...choices[name]].map(({ value, icon }) => (
            <label
              key={value}
              className="relative grid min-h-9 min-w-9 place-items-center rounded-control border border-line-control/60 p-1 hover:border-line-control has-checked:border-accent has-checked:bg-accent-wash has-focus-visible:outline-2 has-focus-visible:outline-accent-text"
            >
              <input
                type="radio"
                name={name}
                value={value}
                defaultChecked={(start.values[name] ?? "") === value}
                aria-label={value || "Drawn from the ID"}
                className="absolute inset-0 opacity-0"
              />
              {icon}
            </label>
          ))}
        </div>
      </fieldset>
    ))}
  </>
);

const pages = [
  { name: "clientUri", label: "Home page", hint: "Where players learn about the application." },
  { name: "tosUri", label: "Terms of service", hint: undefined },
  {
    name: "privacyUri",
    label: "Privacy policy",
    hint: "It must say what data you collect, why, for how long, how it is deleted and who you share it with.",
  },
] as const;

function AddressFields({ form }: FieldsProps) {
  const { start, faults } = form;
  return (
    <div className="grid gap-5">
      <RedirectField form={form} />
      {pages.map(({ name, label, hint }) => (
        <InputField
          key={name}
          name={name}
          label={label}
          hint={hint}
          error={faults[name]}
          code
          inputMode="url"
          autoComplete="off"
          placeholder="https://"
          defaultValue={start.values[name]}
        />
      ))}
    </div>
  );
}

function ScopeFields({ form: { start, typed, faults } }: FieldsProps) {
  const { scopes, optionalScopes } = start.values;
  const fault = faults.scopes ?? faults.optionalScopes;
  return (
    <fieldset>
      <legend className="text-sm font-medium">Scopes it may ask for</legend>
      <p className="mt-0.5 text-sm text-ink-faint">
        Choose as few as possible: asking for too much puts players off. Mark a scope as optional if
        your application works without it: players may then untick it and still approve. Some
        endpoints need no scope.
      </p>
      <div className="mt-3 grid gap-3">
        {everyScope.map(({ name, title, grants }) => {
          const covered = name.startsWith("faction:") && typed.scopes.includes("faction");
          return (
            <div key={name} className="group grid gap-1.5">
              <Checkbox
                name="scopes"
                id={`scope-${name}`}
                value={name}
                defaultChecked={scopes.includes(name)}
                label={
                  <>
                    {title} <code className="ml-1 font-mono text-xs text-ink-faint">{name}</code>
                  </>
                }
                hint={covered ? `${grants} Already included in faction.` : grants}
              />
              {/* The hidden box keeps its state until the scope is ticked again. */}
              <div className="hidden group-has-[[name=scopes]:checked]:block">
                <Checkbox
                  name="optionalScopes"
                  id={`optional-${name}`}
                  value={name}
                  className="ml-6.5 text-sm"
                  defaultChecked={optionalScopes.includes(name)}
                  label={
                    <>
                      Optional<span className="sr-only">: {name}</span>
                    </>
                  }
                />
              </div>
            </div>
          );
        })}
      </div>
      {fault && <p className="mt-2 text-sm text-bad">{fault}</p>}
    </fieldset>
  );
}

const statements: Readonly<
  Record<PrivacyStatementName, { label: string; hint: string; optional?: true }>
> = {
  data: { label: "What data do you collect?", hint: "Say which data you read from Adjutant." },
  use: { label: "What for?", hint: "Say what you use it for." },
  retention: { label: "For how long?", hint: "Say when you delete it." },
  deletion: {
    label: "How can a player have it deleted?",
    hint: "A page, a command, or a contact address.",
  },
  sharing: { label: "Who do you share it with, and why?", hint: "“Nobody” is fine." },
  contact: {
    label: "Who can players contact?",
    hint: "How they reach you about their data.",
    optional: true,
  },
  protection: {
    label: "How is it protected?",
    hint: "Encryption, and who has access.",
    optional: true,
  },
};

const PrivacyFields = ({ form: { start, faults } }: FieldsProps) => (
  <div className="grid gap-5">
    <p className="text-sm text-ink-soft">
      One or two sentences each. Players read them before they approve, and your privacy policy must
      say the same.
    </p>
    {privacyStatementNames.map((name) => {
      const { label, hint, optional } = statements[name];
      return (
        <TextareaField
          key={name}
          id={`privacy-${name}`}
          name={`privacy.${name}`}
          label={label}
          hint={hint}
          required={!optional}
          error={faults[`privacy.${name}`]}
          rows={2}
          defaultValue={start.values.privacy[name]}
        />
      );
    })}
  </div>
);
