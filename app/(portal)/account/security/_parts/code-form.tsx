"use client";

import type { FormEvent } from "react";
import { type ProcedureError, refusalSentence, wantedProof } from "#app/_lib/refusal";
import { RefusalAlert } from "#app/_parts/refusal-alert.tsx";
import { Button } from "#app/_ui/button.tsx";
import type { ButtonVariant } from "#app/_ui/button-style.tsx";
import { Input } from "#app/_ui/controls.tsx";
import { Field } from "#app/_ui/field.tsx";

/** The page that a sign-in comes back to. */
export const here = "/account/security";

type Props = {
  label: string;
  /** The words of the button. */
  submit: string;
  variant?: ButtonVariant;
  /** What the code is for. */
  mutation: {
    readonly mutate: (input: { code: string }) => void;
    readonly reset: () => void;
    readonly isPending: boolean;
    readonly error: ProcedureError | null;
  };
};

/** Asks for a code and acts with it; a wrong one is said at the field. */
export function CodeForm({ label, submit, variant = "primary", mutation }: Props) {
  const { mutate, reset, isPending, error } = mutation;

  function send(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    mutate({ code: String(new FormData(event.currentTarget).get("code")) });
  }

  return (
    <div className="grid gap-3">
      <RefusalAlert refused={error} here={here} proofOnly />
      <form onSubmit={send} className="grid gap-3 sm:max-w-90">
        <Field name="code" label={label} error={error && !wantedProof(error) && refusalSentence(error)}>
          {(control) => (
            <Input {...control} code autoComplete="one-time-code" maxLength={40} onChange={() => error && reset()} />
          )}
        </Field>
        <div>
          <Button type="submit" variant={variant} busy={isPending}>
            {submit}
          </Button>
        </div>
      </form>
    </div>
  );
}
