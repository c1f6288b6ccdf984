import { Field, Input } from "#app/_ui/field.tsx";

/** Of the second factor. */
export const CodeField = ({ error, autoFocus }: { error?: string; autoFocus: boolean }) => (
  <Field
    name="code"
    label="Code"
    error={error}
    hint="The six digits your authenticator app shows now, or one of your backup codes."
  >
    {(control) => (
      <Input
        {...control}
        code
        autoComplete="one-time-code"
        maxLength={40}
        autoFocus={autoFocus}
        className="tabular"
      />
    )}
  </Field>
);
