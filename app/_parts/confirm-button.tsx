import { use } from "react";
import { csrfToken } from "#app/_lib/caller";
import { csrfField } from "#app/_lib/csrf";
import { Button } from "#app/_ui/button.tsx";
import type { ButtonVariant } from "#app/_ui/class-names.tsx";
import { ConfirmDialog, type ConfirmDialogProps } from "#app/_ui/confirm-dialog.tsx";
import { DialogButton } from "#app/_ui/dialog-button.tsx";

export const ConfirmButton = ({ fields, ...dialog }: ConfirmDialogProps) => (
  <ConfirmDialog {...dialog} fields={{ ...fields, [csrfField]: use(csrfToken()) }} />
);

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
