import { use } from "react";
import { csrfToken } from "#app/_lib/caller";
import { csrfField } from "#app/_lib/csrf";
import { ConfirmDialog, type ConfirmDialogProps } from "#app/_ui/confirm-dialog.tsx";

export const ConfirmButton = ({ fields, ...dialog }: ConfirmDialogProps) => (
  <ConfirmDialog {...dialog} fields={{ ...fields, [csrfField]: use(csrfToken()) }} />
);
