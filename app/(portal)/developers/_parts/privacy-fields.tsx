import { Field } from "#app/_ui/field.tsx";
import { Textarea } from "#app/_ui/textarea.tsx";
import { type StatementName, statementNames } from "./application-draft";
import type { ApplicationForm } from "./use-application-form";

const statements: Readonly<Record<StatementName, { label: string; hint: string; optional?: true }>> = {
  data: { label: "What data do you collect?", hint: "Say which data you read from Adjutant." },
  use: { label: "What for?", hint: "Say what you use it for." },
  retention: { label: "For how long?", hint: "Say when you delete it." },
  deletion: { label: "How can a player have it deleted?", hint: "A page, a command, or a contact address." },
  sharing: { label: "Who do you share it with, and why?", hint: "“Nobody” is fine." },
  contact: { label: "Who can players contact?", hint: "How they reach you about their data.", optional: true },
  protection: { label: "How is it protected?", hint: "Encryption, and who has access.", optional: true },
};

/** What the privacy policy says, in short. The consent page shows it word for word. */
export function PrivacyFields({ form }: { form: ApplicationForm }) {
  return (
    <div className="grid gap-5">
      <p className="text-sm text-ink-soft">
        One or two sentences each. Players read them before they approve, and your privacy policy must say the same.
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
