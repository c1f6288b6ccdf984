import type { FormEvent, ReactNode } from "react";
import { type ProcedureError, refusalSentence, wantedProof } from "#app/_lib/refusal";
import { RefusalAlert } from "#app/_parts/refusal-alert.tsx";
import { Button } from "#app/_ui/button.tsx";
import type { ButtonVariant } from "#app/_ui/class-names.tsx";
import { InputField } from "#app/_ui/field.tsx";
import { here } from "./added";

type CodeFormProps = {
  label: string;
  submit: string;
  variant?: ButtonVariant;
  send: (code: string, sent: FormData) => void;
  children?: ReactNode;
  mutation: {
    readonly reset: () => void;
    readonly isPending: boolean;
    readonly error: ProcedureError | null;
  };
};

/** A wrong code is reported at the field. */
export function CodeForm(props: CodeFormProps) {
  const { label, submit, variant = "primary", send, children, mutation } = props;
  const { reset, isPending, error } = mutation;

  function onSubmit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const sent = new FormData(event.currentTarget);
    send(String(sent.get("code")), sent);
  }

  return (
    <div className="grid gap-3">
      <RefusalAlert refused={error} here={here} proofOnly />
      <form onSubmit={onSubmit} className="grid gap-3 sm:max-w-90">
        {children}
        <InputField
          name="code"
          label={label}
          error={error && !wantedProof(error) && refusalSentence(error)}
          code
          autoComplete="one-time-code"
          maxLength={40}
          onChange={() => error && reset()}
        />
        <div>
          <Button type="submit" variant={variant} busy={isPending}>
            {submit}
          </Button>
        </div>
      </form>
    </div>
  );
}
