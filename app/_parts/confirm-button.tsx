import type { ReactNode } from "react";
import { Button } from "#app/_ui/button.tsx";
import type { ButtonVariant } from "#app/_ui/class-names.tsx";
import { DialogButton } from "#app/_ui/dialog-button.tsx";
import { CsrfForm } from "./csrf-form";

type Props = {
  /** Label of the opening button, and of the acting one unless `confirm` is set. */
  label: string;
  confirm?: string;
  /** Accessible name: the object, such as "request #12". */
  what?: string;
  /** A sentence, or one per thing that the act cuts. */
  consequences: string | readonly string[];
  /** "plain" for an act that cuts nothing. */
  tone?: "danger" | "plain";
  action: string;
  fields?: Readonly<Record<string, string | undefined>>;
  /** Initially open, for a form that came back. */
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
        {/* First in order, so that it gets the focus instead of the destructive button. */}
        <form method="dialog" className="needs-script col-start-2 row-start-2">
          <Button type="submit" size="sm">
            Back
          </Button>
        </form>
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

/** Asks within a form before it is sent. */
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
