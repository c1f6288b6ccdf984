"use client";

import { type ReactNode, useState } from "react";
import { Button } from "./button";
import type { ButtonSize, ButtonVariant } from "./button-style";
import { Dialog } from "./dialog";

type Props = {
  /** The button's words. */
  label: ReactNode;
  variant?: ButtonVariant;
  size?: ButtonSize;
  title: ReactNode;
  description?: ReactNode;
  width?: "sm" | "md";
  /** The dialog's content; may be server-rendered. A form with method "dialog" closes it. */
  children: ReactNode;
};

/** A button that opens a dialog. */
export function DialogButton({ label, variant, size, children, ...dialog }: Props) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button variant={variant} size={size} aria-haspopup="dialog" onClick={() => setOpen(true)}>
        {label}
      </Button>
      <Dialog {...dialog} open={open} onClose={() => setOpen(false)}>
        {children}
      </Dialog>
    </>
  );
}
