"use client";

import { type FormEvent, type ReactNode, useState } from "react";
import { Button } from "#app/_ui/button.tsx";
import type { ButtonVariant } from "#app/_ui/button-style.tsx";
import { Field } from "#app/_ui/field.tsx";
import { Input } from "#app/_ui/input.tsx";
import { type Refused, readRefusal } from "#app/(portal)/developers/_parts/read-refusal";

type Props = {
  label: string;
  hint?: ReactNode;
  /** The words of the button. */
  submit: string;
  variant?: ButtonVariant;
  act: (code: string) => Promise<void>;
  /** For what is not the code's fault and wants a confirmation or sign-in first. */
  onRefused: (refused: Refused) => void;
};

/** Asks for a code and acts with it; a wrong one is said at the field. */
export function CodeForm({ label, hint, submit, variant = "primary", act, onRefused }: Props) {
  const [code, setCode] = useState("");
  const [fault, setFault] = useState<string>();
  const [busy, setBusy] = useState(false);

  async function send(event: FormEvent) {
    event.preventDefault();
    setFault(undefined);
    setBusy(true);
    try {
      await act(code);
    } catch (thrown) {
      const why = readRefusal(thrown);
      if (why.wants) onRefused(why);
      else setFault(why.message);
    } finally {
      setBusy(false);
    }
  }

  return (
    <form onSubmit={send} className="grid gap-3 sm:max-w-90">
      <Field name="code" label={label} hint={hint} error={fault}>
        {(control) => (
          <Input
            {...control}
            code
            autoComplete="one-time-code"
            maxLength={40}
            value={code}
            onChange={(event) => {
              setCode(event.target.value);
              setFault(undefined);
            }}
          />
        )}
      </Field>
      <div>
        <Button type="submit" variant={variant} busy={busy}>
          {submit}
        </Button>
      </div>
    </form>
  );
}
