import { Field } from "#app/_ui/field.tsx";
import { Textarea } from "#app/_ui/textarea.tsx";
import { type StatementName, statementNames } from "./application-draft";
import type { ApplicationForm } from "./use-application-form";

const statements: Readonly<Record<StatementName, { label: string; hint: string; optional?: true }>> = {
  data: { label: "What do you take?", hint: "The data that you read from Adjutant." },
  use: { label: "What for?", hint: "What you do with it." },
  retention: { label: "For how long?", hint: "When you throw it away." },
  deletion: { label: "How can a player have it deleted?", hint: "A page, a command, an address to write to." },
  sharing: { label: "With whom do you share it, and why?", hint: "“Nobody” is a fine answer." },
  contact: { label: "Whom can players ask?", hint: "A way to reach you about their data.", optional: true },
  protection: { label: "How is it protected?", hint: "Encryption, who has access.", optional: true },
};

/** What the privacy policy says, in short. The consent page shows it word for word. */
export function PrivacyFields({ form }: { form: ApplicationForm }) {
  return (
    <div className="grid gap-5">
      <p className="text-sm text-ink-soft">
        A sentence or two each. Players read them before they approve, and your privacy policy must say the same.
      </p>
      {statementNames.map((name) => {
        const { label, hint, optional } = statements[name];
        return (
          <Field
            key={name}
            id={`privacy-${name}`}
            name={`privacy.${name}`}
            label={label}
            hint={hint}
            required={!optional}
            error={form.faults[`privacy.${name}`]}
          >
            {(control) => (
              <Textarea
                {...control}
                rows={2}
                value={form.draft.privacy[name]}
                onChange={(event) => form.state(name, event.target.value)}
              />
            )}
          </Field>
        );
      })}
    </div>
  );
}
