"use client";

import type { ComponentProps } from "react";
import { type ButtonSize, type ButtonVariant, buttonStyle, classNames } from "./class-names";

type ButtonProps = Omit<ComponentProps<"button">, "type"> & {
  variant?: ButtonVariant;
  size?: ButtonSize;
  /** Fill the width of the parent. */
  block?: boolean;
  /** Something is under way: shows a spinner in place of the words, keeps the width, ignores clicks. */
  busy?: boolean;
  /** "button" unless said otherwise: a button never sends a form by accident. */
  type?: "button" | "submit" | "reset";
};

/** A button. One "primary" a page at most. */
export function Button({
  variant,
  size,
  block,
  busy = false,
  className,
  children,
  type = "button",
  ...rest
}: ButtonProps) {
  return (
    <button
      {...rest}
      type={type}
      aria-busy={busy || undefined}
      disabled={rest.disabled === true || busy}
      className={classNames(buttonStyle({ variant, size, block }), className)}
    >
      {busy ? (
        <>
          <span className="inline-flex items-center gap-2 opacity-0">{children}</span>
          <span
            aria-hidden="true"
            className="absolute size-4 animate-spin rounded-full border-2 border-current border-r-transparent"
          />
        </>
      ) : (
        children
      )}
    </button>
  );
}
