"use client";

import { buttonStyle } from "./class-names";

/**
 * The summary of a details element (class `group`) that asks before it acts. It stays where it is while that is open, and
 * closes it again: a person who changes their mind finds a way back, and the keyboard keeps its place.
 */
export function AskingSummary({ label, what }: { label: string; what?: string | undefined }) {
  return (
    <summary className={`${buttonStyle({ size: "sm" })} group-open:mb-3`}>
      <span className="group-open:hidden">
        {label}
        {what && <span className="sr-only"> {what}</span>}
      </span>
      <span className="hidden group-open:inline">Close</span>
    </summary>
  );
}
