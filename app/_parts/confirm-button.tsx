import type { ReactNode } from "react";
import { Button } from "#app/_ui/button.tsx";
import type { ButtonVariant } from "#app/_ui/class-names.tsx";
import { DialogButton } from "#app/_ui/dialog-button.tsx";
import { CsrfForm } from "./csrf-form";

type Props = {
  /** Label of the opening button, and of the confirming button unless `confirm` is set. */
  label: string;
  confirm?: string;
  /** Accessible name: the object, such as "request #12". */
  what?: string;
  /** One sentence, or one per consequence. */
  consequences: string | readonly string[];
  /** "plain" for an act that is not destructive. */
  tone?: "danger" | "plain";
  action: string;
  fields?: Readonly<Record<string, string | undefined>>;
  /** Open at first, for a form that was sent and refused. */
  unfolded?: boolean;
  /** Fields to fill in. */
  children?: ReactNode;
};

export function ConfirmButton({
  label,
  confirm = label,
  what,
  consequences,
  tone = "danger",
  action,
  fields,
  unfolded,
  children,
}: Props) {
  const back = (
    <form method="dialog" className="needs-script col-start-2 row-start-2 in-[details]:hidden">
      <Button type="submit" size="sm">
        Back
      </Button>
    </form>
  );
  return (
    <DialogButton
      label={label}
      what={what}
      title={what ? `${label} ${what}?` : `${label}?`}
      unfolded={unfolded}
    >
      {typeof consequences === "string" ? (
        <p>{consequences}</p>
      ) : (
        <ul className="grid list-disc gap-1 pl-5">
          {consequences.map((consequence) => (
            <li key={consequence}>{consequence}</li>
          ))}
        </ul>
      )}
      <div className="mt-4 grid grid-cols-[1fr_auto_auto] gap-2">
        {/* The first element gets the focus: a field, or Back instead of the destructive button. */}
        {!children && back}
        <CsrfForm action={action} fields={fields} className="contents">
          {children && <div className="col-span-3 row-start-1 mb-2 grid gap-3">{children}</div>}
          <Button
            type="submit"
            variant={tone === "danger" ? "danger" : "primary"}
            size="sm"
            className="col-start-3 row-start-2"
          >
            {confirm}
          </Button>
        </CsrfForm>
        {children && back}
      </div>
    </DialogButton>
  );
}

type SubmitDialogProps = {
  /** Label of both buttons. */
  label: string;
  title: string;
  act?: string;
  variant?: ButtonVariant;
  children: string;
};

/** Asks for a confirmation inside the form that it submits. */
export const SubmitDialog = ({
  label,
  title,
  act,
  variant = "danger",
  children,
}: SubmitDialogProps) => (
  <DialogButton label={label} title={title}>
    <p>{children}</p>
    <div className="mt-4 flex justify-end">
      <Button type="submit" name={act && "act"} value={act} variant={variant} size="sm">
        {label}
      </Button>
    </div>
  </DialogButton>
);
