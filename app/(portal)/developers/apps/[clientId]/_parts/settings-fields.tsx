import type { ReactNode } from "react";
import { Checkbox } from "#app/_ui/checkbox.tsx";
import { InputField, TextareaField } from "#app/_ui/field.tsx";
import { RedirectField } from "#app/(portal)/developers/_parts/application-fields.tsx";
import type { ApplicationForm } from "#app/(portal)/developers/_parts/application-form";
import {
  type StatementName,
  statementNames,
} from "#app/(portal)/developers/_parts/typed-application";
import { scopes as everyScope } from "#server/scopes";

type Props = { form: ApplicationForm };

type Choice = { readonly value: string; readonly icon: ReactNode };
/** Drawn by the server, so that the icons are no part of the page's script. */
export type EmblemChoices = {
  readonly emblemSign: readonly Choice[];
  readonly emblemColour: readonly Choice[];
};

const drawnFromId: Choice = {
  value: "",
  icon: <span className="px-1 text-sm">Drawn from the ID</span>,
};

const emblemLegends = { emblemSign: "Sign", emblemColour: "Colour" } as const;

/** One line and the emblem, which are beside the name wherever players see it. */
export const EmblemFields = ({
  form: { start, faults },
  choices,
}: Props & { choices: EmblemChoices }) => (
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

/** Redirect URIs, and the pages that a player can read before approving. */
export function AddressFields({ form }: Props) {
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

export function ScopeFields({ form: { start, typed, faults } }: Props) {
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
              {/* A hidden box keeps its state, for when the scope is ticked again. */}
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
  Record<StatementName, { label: string; hint: string; optional?: true }>
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

/** The consent page quotes these statements. */
export const PrivacyFields = ({ form: { start, faults } }: Props) => (
  <div className="grid gap-5">
    <p className="text-sm text-ink-soft">
      One or two sentences each. Players read them before they approve, and your privacy policy must
      say the same.
    </p>
    {statementNames.map((name) => {
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
