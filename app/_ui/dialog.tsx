"use client";

import { X } from "lucide-react";
import {
  type MouseEvent,
  type ReactNode,
  type SyntheticEvent,
  useEffect,
  useId,
  useRef,
} from "react";
import { classNames } from "./class-names";

type Props = {
  open: boolean;
  /** Called by Escape, the cross, a click outside, or a form with method "dialog". */
  onClose: () => void;
  title: ReactNode;
  children: ReactNode;
  width?: "sm" | "md";
};

/**
 * The native modal dialog: focus trap, inert background, Escape and focus return need no script or
 * inline styles.
 */
export function Dialog({ open, onClose, title, children, width = "sm" }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();

  useEffect(() => {
    const element = dialog.current;
    if (open && !element?.open) element?.showModal();
    if (!open && element?.open) element.close();
  }, [open]);

  function closeFromBackdrop(event: MouseEvent) {
    if (event.target === dialog.current) onClose();
  }

  function closeByEscape(event: SyntheticEvent) {
    // Without this, the element closes before its owner's state, and a reopening in between is
    // lost.
    event.preventDefault();
    onClose();
  }

  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the click beside the dialog is a shortcut; Escape is the keyboard's way.
    <dialog
      ref={dialog}
      onCancel={closeByEscape}
      onClose={onClose}
      onClick={closeFromBackdrop}
      aria-labelledby={`${id}-title`}
      className={classNames(
        "m-auto w-[calc(100vw-2rem)] overscroll-contain text-left font-normal whitespace-normal rounded-card bg-raised text-ink shadow-float motion-safe:open:animate-[arrive_160ms_var(--ease-out)]",
        width === "sm" ? "max-w-112" : "max-w-160",
      )}
    >
      {open && (
        <div className="relative p-5 sm:p-6">
          <h2 id={`${id}-title`} className="pr-8 text-lg font-semibold wrap-anywhere">
            {title}
          </h2>
          <div className="mt-4">{children}</div>
          {/* Last, so that the focus starts in the content. */}
          <button
            type="button"
            onClick={onClose}
            aria-label="Close"
            className="absolute top-4 right-3 grid size-8 place-items-center rounded-control text-ink-faint hover:bg-accent-wash hover:text-ink sm:top-5 sm:right-4 pointer-coarse:top-2.5 pointer-coarse:size-11"
          >
            <X className="size-4.5" />
          </button>
        </div>
      )}
    </dialog>
  );
}
