"use client";

import { type FormEvent, type ReactNode, useId, useState } from "react";
import { Alert } from "./alert";
import { Button } from "./button";
import type { ButtonSize, ButtonVariant } from "./class-names";
import { Dialog } from "./dialog";
import { Field, Input } from "./field";

type Props = {
  /** Resolves with undefined on success (the dialog closes), else with the reason. */
  onConfirm: () => Promise<string | undefined>;
  /** Labels of the opening and the acting button: "Delete application". */
  label: string;
  variant?: ButtonVariant;
  size?: ButtonSize;
  title: string;
  description?: ReactNode;
  /** "3 players lose access", "5 live tokens end". */
  consequences?: readonly string[];
  /** Must be typed first. */
  confirmName?: string;
};

/** Lists the consequences before a destructive act. */
export function ConfirmDialog({
  label,
  variant = "danger",
  size,
  title,
  description,
  consequences = [],
  confirmName,
  onConfirm,
}: Props) {
  const [open, setOpen] = useState(false);
  const [typed, setTyped] = useState("");
  const [busy, setBusy] = useState(false);
  const [fault, setFault] = useState<string>();
  const id = useId();

  function close() {
    setOpen(false);
    setTyped("");
    setFault(undefined);
  }

  async function confirm(event: FormEvent) {
    event.preventDefault();
    setBusy(true);
    const refusal = await onConfirm().catch(() => "That did not work. Try again in a moment.");
    setBusy(false);
    if (refusal === undefined) close();
    else setFault(refusal);
  }

  return (
    <>
      <Button variant={variant} size={size} aria-haspopup="dialog" onClick={() => setOpen(true)}>
        {label}
      </Button>
      <Dialog open={open} onClose={close} title={title} description={description}>
        <form onSubmit={confirm} className="grid gap-4">
          {consequences.length > 0 && (
            <ul className="grid list-disc gap-1 pl-5">
              {consequences.map((consequence) => (
                <li key={consequence}>{consequence}</li>
              ))}
            </ul>
          )}
          {confirmName !== undefined && (
            <Field
              id={`${id}-name`}
              name="confirm_name"
              label={
                <>
                  Type{" "}
                  <strong className="font-semibold select-all wrap-anywhere">{confirmName}</strong>{" "}
                  to go on
                </>
              }
            >
              {(control) => (
                <Input
                  {...control}
                  code
                  autoComplete="off"
                  value={typed}
                  onChange={(event) => setTyped(event.target.value)}
                />
              )}
            </Field>
          )}
          {fault && (
            <Alert tone="bad" live>
              {fault}
            </Alert>
          )}
          <div className="flex flex-wrap justify-end gap-2">
            <Button onClick={close}>Back</Button>
            <Button
              type="submit"
              variant="danger"
              busy={busy}
              disabled={confirmName !== undefined && typed !== confirmName}
            >
              {label}
            </Button>
          </div>
        </form>
      </Dialog>
    </>
  );
}
