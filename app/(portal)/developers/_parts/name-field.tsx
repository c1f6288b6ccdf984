import { Field } from "#app/_ui/field.tsx";
import { Input } from "#app/_ui/input.tsx";
import type { ApplicationForm } from "./use-application-form";

export function NameField({ form }: { form: ApplicationForm }) {
  return (
    <Field
      name="name"
      label="Name"
      hint="Shown to players on the consent page. At most 60 characters."
      error={form.faults.name}
    >
      {(control) => (
        <Input
          {...control}
          autoComplete="off"
          value={form.draft.name}
          onChange={(event) => form.change({ name: event.target.value })}
        />
      )}
    </Field>
  );
}
