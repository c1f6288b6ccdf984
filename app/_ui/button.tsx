import type { ComponentProps } from "react";
import { classNames } from "./class-names";

export type ButtonVariant = "primary" | "secondary" | "quiet" | "danger";
export type ButtonSize = "sm" | "md" | "lg";

const base =
  "relative inline-flex items-center justify-center gap-2 rounded-control font-medium whitespace-nowrap select-none " +
  "transition-colors duration-120 disabled:cursor-not-allowed disabled:opacity-55 aria-disabled:cursor-not-allowed aria-disabled:opacity-55";

const variants: Record<ButtonVariant, string> = {
  primary: "bg-accent text-on-accent shadow-control hover:bg-accent-strong",
  secondary:
    "border border-line-control/60 bg-surface text-ink shadow-control hover:border-line-control hover:bg-sunken",
  quiet: "text-ink-soft hover:bg-accent-wash hover:text-ink",
  danger: "bg-bad-solid text-on-bad shadow-control hover:bg-bad-solid-strong",
};

// A coarse pointer gets 44 px, whatever the size drawn for a mouse.
const sizes: Record<ButtonSize, string> = {
  sm: "min-h-8 px-3 text-sm pointer-coarse:min-h-11",
  md: "min-h-9 px-4 text-sm pointer-coarse:min-h-11",
  lg: "min-h-11 px-5 text-base",
};

/** The class of everything that looks like a button: real buttons, links, dialog triggers. */
export function buttonStyle({
  variant = "secondary",
  size = "md",
  block = false,
}: {
  variant?: ButtonVariant | undefined;
  size?: ButtonSize | undefined;
  block?: boolean | undefined;
} = {}): string {
  return classNames(base, variants[variant], sizes[size], block && "w-full");
}

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
