"use client";

import type { MouseEvent, ReactNode } from "react";
import { Button } from "./button";
import { DialogButton } from "./dialog-button";
import { PostForm } from "./post-form";

export type ConfirmDialogProps = {
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
  fields?: Readonly<Record<string, string | undefined>> | undefined;
  /** Open at first, for a form that was sent and refused. */
  unfolded?: boolean;
  /** Fields to fill in. */
  children?: ReactNode;
};

/** A client component, because a list has one in each row: the page's data has its props alone. */
export function ConfirmDialog({
  label,
  confirm = label,
  what,
  consequences,
  tone = "danger",
  action,
  fields = {},
  unfolded,
  children,
}: ConfirmDialogProps) {
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
      <PostForm action={action} fields={fields} className="mt-4 grid gap-3">
        {children}
        <div className="flex justify-end gap-2">
          {/* Before the submit button, so that without fields it gets the focus. */}
          <Button size="sm" className="in-[details]:hidden" onClick={closeDialog}>
            Back
          </Button>
          <Button type="submit" variant={tone === "danger" ? "danger" : "primary"} size="sm">
            {confirm}
          </Button>
        </div>
      </PostForm>
    </DialogButton>
  );
}

const closeDialog = ({ currentTarget }: MouseEvent<HTMLElement>) =>
  currentTarget.closest("dialog")?.close();
