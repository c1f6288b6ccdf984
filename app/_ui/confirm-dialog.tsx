"use client";

import { type FormEvent, type ReactNode, useId, useState } from "react";
import { Alert } from "./alert";
import { Button } from "./button";
import type { ButtonSize, ButtonVariant } from "./class-names";
import { Dialog } from "./dialog";
import { Field, Input } from "./field";
import { HiddenFields } from "./post-form";

type DialogTarget =
  | {
      /** A form target: the dialog posts `fields`, and `confirm_name` where a name is asked for. */
      action: string;
      fields?: Readonly<Record<string, string>>;
      onConfirm?: never;
    }
  | {
      /** Does it. Gives nothing when it is done (the dialog closes), or the sentence that says why it was not. */
      onConfirm: () => Promise<string | undefined>;
      action?: never;
      fields?: never;
    };

type Props = DialogTarget & {
  /** The words of the button that opens it, and of the one that does it: "Delete application". */
  label: string;
  variant?: ButtonVariant;
  size?: ButtonSize;
  title: string;
  description?: ReactNode;
  /** What it will cut: "3 players lose access", "5 live tokens end". */
  consequences?: readonly string[];
  /** The name to type before it can be done. */
  confirmName?: string;
};

/** Asks before something is destroyed: says what it cuts, and wants the name where that is much. */
export function ConfirmDialog({
  label,
  variant = "danger",
  size,
  title,
  description,
  consequences = [],
  confirmName,
  action,
  fields = {},
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
    setBusy(true);
    if (!onConfirm) return;
    event.preventDefault();
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
        <form method="post" action={action} onSubmit={confirm} className="grid gap-4">
          <HiddenFields fields={fields} />
          {consequences.length > 0 && (
            <ul className="grid gap-1 rounded-control border border-bad-line bg-bad-wash px-4 py-3 text-sm">
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
            <Button onClick={close}>Cancel</Button>
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
