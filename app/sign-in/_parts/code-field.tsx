import { InputField } from "#app/_ui/field.tsx";

export const CodeField = ({ error, autoFocus }: { error?: string; autoFocus: boolean }) => (
  <InputField
    name="code"
    label="Code"
    error={error}
    hint="The six digits your authenticator app shows now, or one of your backup codes."
    code
    autoComplete="one-time-code"
    maxLength={40}
    autoFocus={autoFocus}
  />
);
