"use client";

import { type MouseEvent, type ReactNode, useState } from "react";
import { buttonStyle } from "./class-names";
import { Dialog } from "./dialog";

type Props = {
  label: string;
  /** Accessible name: the object of the action. */
  what?: string | undefined;
  title: string;
  /** Open at first, for a form that was sent and refused. */
  unfolded?: boolean;
  children: ReactNode;
};

/** Without script the form unfolds below the button. */
export function DialogButton({ label, what, title, unfolded = false, children }: Props) {
  const [open, setOpen] = useState(false);

  function ask(event: MouseEvent<HTMLElement>) {
    if (event.currentTarget.closest("details")?.open) return;
    event.preventDefault();
    setOpen(true);
  }

  return (
    <>
      <details className="group open:w-full" open={unfolded}>
        {/* biome-ignore lint/a11y/noStaticElementInteractions: a summary is a button. */}
        <summary
          className={`${buttonStyle({ size: "sm" })} group-open:mb-3`}
          aria-haspopup="dialog"
          onClick={ask}
        >
          <span className="group-open:hidden">
            {label}
            {what && <span className="sr-only"> {what}</span>}
          </span>
          <span className="hidden group-open:inline">Close</span>
        </summary>
        {!open && (
          <div className="rounded-control border border-line bg-sunken p-4 text-left text-sm whitespace-normal text-ink">
            {children}
          </div>
        )}
      </details>
      <Dialog open={open} onClose={() => setOpen(false)} title={title}>
        {children}
      </Dialog>
    </>
  );
}
