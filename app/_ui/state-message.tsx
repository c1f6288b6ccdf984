"use client";

import type { ReactNode } from "react";

type StateMessageProps = {
  notice?: ReactNode;
  /** "404", "Expired". */
  kicker?: string;
  title: ReactNode;
  children?: ReactNode;
  reference?: { readonly name: string; readonly text: string } | undefined;
  /** The first is primary. */
  actions?: ReactNode;
};

/** Not found, failed, expired or done; always with a next step. */
export function StateMessage({
  notice,
  kicker,
  title,
  children,
  reference,
  actions,
}: StateMessageProps) {
  return (
    <div className="mx-auto my-auto w-full max-w-120 py-8">
      {notice && <div className="mb-8">{notice}</div>}
      <svg viewBox="0 0 48 20" className="h-5 w-12" aria-hidden="true" focusable="false">
        <circle className="fill-brass" cx="4" cy="10" r="3" />
        <path
          className="fill-none stroke-line-control"
          strokeWidth="2.6"
          d="m14 17 8-7-8-7M26 17l8-7-8-7"
        />
      </svg>
      {kicker && <p className="tabular mt-5 text-sm font-medium text-ink-faint">{kicker}</p>}
      <h1 className="mt-1 text-2xl font-semibold">{title}</h1>
      {children && <div className="mt-2 text-ink-soft">{children}</div>}
      {actions && <div className="mt-6 flex flex-wrap gap-3">{actions}</div>}
      {reference && (
        // No copy button, because its script may fail too; one click selects the text.
        <p className="mt-8 border-t border-line pt-4 text-sm text-ink-faint">
          {reference.name} <code className="text-ink-soft select-all">{reference.text}</code>
        </p>
      )}
    </div>
  );
}
