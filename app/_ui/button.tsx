"use client";

import type { ComponentProps } from "react";
import { type ButtonSize, type ButtonVariant, buttonStyle, classNames } from "./class-names";

type ButtonProps = Omit<ComponentProps<"button">, "type"> & {
  variant?: ButtonVariant;
  size?: ButtonSize;
  block?: boolean;
  /** Shows a spinner at the same width and ignores clicks. */
  busy?: boolean;
  /** Default "button", so that no button submits a form by accident. */
  type?: "button" | "submit" | "reset";
};

/** At most one "primary" per page. */
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
