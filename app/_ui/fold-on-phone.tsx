import { ChevronDown } from "lucide-react";
import type { ReactNode } from "react";
import { classNames } from "./class-names";

type Props = {
  label: string;
  /** Places the mark in the positioned parent. */
  className: string;
  children: ReactNode;
};

/**
 * Folded away on a phone, by a mark; open where there is room. Where the part around it has `data-folds`, content of it
 * with `data-folded` is shortened or left out as long as this is folded.
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
        <ChevronDown className="size-4 group-open:rotate-180 sm:hidden" aria-hidden="true" />
      </summary>
      {children}
    </details>
  );
}
