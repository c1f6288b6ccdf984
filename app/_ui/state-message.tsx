"use client";

import type { ReactNode } from "react";
import { buttonStyle } from "./class-names";

type StateMessageProps = {
  /** What was just done, above how things stand now. */
  notice?: ReactNode;
  /** A word above the title: "404", "Expired". */
  kicker?: string;
  title: ReactNode;
  children?: ReactNode;
  /** What support can find the case by. */
  reference?: { readonly name: string; readonly text: string } | undefined;
  /** The ways on; the first is the primary one. */
  actions?: ReactNode;
};

/** A page that can only say how things stand: not found, failed, expired, done already. Always with a way on. */
export function StateMessage({ notice, kicker, title, children, reference, actions }: StateMessageProps) {
  return (
    <div className="mx-auto my-auto w-full max-w-120 py-8">
      {notice && <div className="mb-8">{notice}</div>}
      <svg viewBox="0 0 48 20" className="h-5 w-12" aria-hidden="true" focusable="false">
        <circle className="fill-brass" cx="4" cy="10" r="3" />
        <path className="fill-none stroke-line-control" strokeWidth="2.6" d="m14 17 8-7-8-7M26 17l8-7-8-7" />
      </svg>
      {kicker && <p className="tabular mt-5 text-sm font-medium text-ink-faint">{kicker}</p>}
      <h1 className="mt-1 text-2xl font-semibold">{title}</h1>
      {children && <div className="mt-2 text-ink-soft">{children}</div>}
      {actions && <div className="mt-6 flex flex-wrap gap-3">{actions}</div>}
      {reference && (
        // No copy button: an error page brings no script that may fail too. One click selects it.
        <p className="mt-8 border-t border-line pt-4 text-sm text-ink-faint">
          {reference.name} <code className="font-mono text-ink-soft select-all">{reference.text}</code>
        </p>
      )}
    </div>
  );
}

type EmptyStateProps = { icon?: ReactNode; title: ReactNode; children?: ReactNode; action?: ReactNode };

/** Nothing is here yet: says why, and what to do next. */
export function EmptyState({ icon, title, children, action }: EmptyStateProps) {
  return (
    <div className="flex flex-col items-center px-4 py-10 text-center sm:py-14">
      {icon && <div className="mb-3 text-ink-faint [&_svg]:size-7 [&_svg]:stroke-[1.5]">{icon}</div>}
      <p className="font-medium">{title}</p>
      {children && <div className="mt-1 max-w-96 text-sm text-ink-soft">{children}</div>}
      {action && <div className="mt-5">{action}</div>}
    </div>
  );
}

type FaultMessageProps = { error: unknown; retry: () => void };

/** The message of an error boundary: that the fault is ours, how to name it, and two ways on. */
export function FaultMessage({ error, retry }: FaultMessageProps) {
  return (
    <StateMessage
      kicker="Something failed"
      title="We could not show this page"
      reference={referenceOf(error)}
      actions={
        <>
          {/* No Button: the last resort's script comes with every page. */}
          <button type="button" className={buttonStyle({ variant: "primary" })} onClick={() => retry()}>
            Try again
          </button>
          {/* A whole new document: whatever broke in this one is left behind. */}
          <a href="/" className={buttonStyle()}>
            Home page
          </a>
        </>
      }
    >
      The error is on our side. Earlier changes are saved; your last one may not be.
    </StateMessage>
  );
}

/**
 * Finds the cause in the server's log: the id of the request in which a procedure of the page, or one that the browser asked,
 * failed; of any other fault the digest that Next made of it.
 */
function referenceOf(error: unknown): { name: string; text: string } | undefined {
  const { digest, data } = (error ?? {}) as { digest?: unknown; data?: { requestId?: unknown } | null };
  const text = digest ?? data?.requestId;
  if (typeof text !== "string") return undefined;
  return { name: /^\d+$/.test(text) ? "Reference" : "Request ID", text };
}
