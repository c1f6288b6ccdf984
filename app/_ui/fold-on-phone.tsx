import { ChevronDown } from "lucide-react";
import type { ReactNode } from "react";
import { classNames } from "./class-names";

type Props = {
  label: string;
  /** Position of the mark in its positioned parent. */
  className: string;
  children: ReactNode;
};

/**
 * Folded on a phone. While folded, `data-folded` parts inside a parent with `data-folds` are
 * shortened or hidden.
 */
export function FoldOnPhone({ label, className, children }: Props) {
  return (
    <details data-open-where-wide className="group text-sm text-ink-soft">
      <summary
        className={classNames(
          "w-fit text-accent-text underline underline-offset-2",
          "max-sm:absolute max-sm:grid max-sm:h-8 max-sm:w-11 max-sm:place-items-center",
          className,
        )}
      >
        <span className="max-sm:sr-only">{label}</span>
        <ChevronDown className="size-4 group-open:rotate-180 sm:hidden" />
      </summary>
      {children}
    </details>
  );
}
