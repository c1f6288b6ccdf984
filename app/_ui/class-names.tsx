export function classNames(...names: (string | false | null | undefined)[]): string {
  return names.filter(Boolean).join(" ");
}

export type ButtonVariant = "primary" | "secondary" | "quiet" | "danger";
export type ButtonSize = "sm" | "md" | "lg";

const buttonBase =
  "relative inline-flex items-center justify-center gap-2 rounded-control font-medium whitespace-nowrap select-none " +
  "transition-colors duration-120 disabled:cursor-not-allowed disabled:opacity-55 aria-disabled:cursor-not-allowed aria-disabled:opacity-55";

const buttonVariants: Record<ButtonVariant, string> = {
  primary: "bg-accent text-on-accent shadow-control hover:bg-accent-strong",
  secondary:
    "border border-line-control/60 bg-surface text-ink shadow-control hover:border-line-control hover:bg-sunken",
  quiet: "text-ink-soft hover:bg-accent-wash hover:text-ink",
  danger: "bg-bad-solid text-on-bad shadow-control hover:bg-bad-solid-strong",
};

// Coarse pointers get 44 px at any size.
const buttonSizes: Record<ButtonSize, string> = {
  sm: "min-h-8 px-3 text-sm pointer-coarse:min-h-11",
  md: "min-h-9 px-4 text-sm pointer-coarse:min-h-11",
  lg: "min-h-11 px-5 text-base",
};

export function buttonStyle({
  variant = "secondary",
  size = "md",
  block = false,
}: {
  variant?: ButtonVariant | undefined;
  size?: ButtonSize | undefined;
  block?: boolean | undefined;
} = {}): string {
  return classNames(buttonBase, buttonVariants[variant], buttonSizes[size], block && "w-full");
}
