import { InputField, TextareaField } from "#app/_ui/field.tsx";
import type { ApplicationForm } from "./application-form";

type Props = { form: ApplicationForm };

export const NameField = ({ form: { start, faults } }: Props) => (
  <InputField
    name="name"
    label="Name"
    hint="Shown to players on the consent page. At most 60 characters."
    error={faults.name}
    autoComplete="off"
    defaultValue={start.values.name}
  />
);

const notes = { confidential: "needed to open to players", public: "optional" } as const;

export const RedirectField = ({ form: { start, typed, faults } }: Props) => (
  <TextareaField
    name="redirectUris"
    label="Redirect URIs"
    required={false}
    note={typed.kind ? notes[typed.kind] : ""}
    error={faults.redirectUris}
    hint={
      <>
        One per line, https, at most ten, no wildcards. They must match exactly. Leave this empty to
        use the hosted callback: a page of ours that shows you the code, or hands it on to
        localhost.
      </>
    }
    code
    rows={3}
    placeholder="https://example.com/oauth/callback"
    defaultValue={start.values.redirectUris.join("\n")}
  />
);
