import type { ReactNode } from "react";
import { classNames } from "./class-names";
import { type Tone, toneText } from "./tone";

type Props = { tone: Tone; children: ReactNode };

/** The state of a thing that changes by itself: a dot and a word ("Live", "Paused", "Revoked"). */
export function Status({ tone, children }: Props) {
  return (
    <span className="inline-flex items-center gap-1.5 text-sm whitespace-nowrap">
      <svg viewBox="0 0 8 8" className={classNames("size-2 flex-none", toneText[tone])} aria-hidden="true">
        {tone === "neutral" ? (
          <circle cx="4" cy="4" r="3" fill="none" stroke="currentColor" strokeWidth="1.5" />
        ) : (
          <circle cx="4" cy="4" r="4" fill="currentColor" />
        )}
      </svg>
      {children}
    </span>
  );
}
