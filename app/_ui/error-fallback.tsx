"use client";

// Separate from state-message.tsx, which every page loads: together they weigh 0.2 kB more.
import { buttonStyle } from "./class-names";
import { StateMessage } from "./state-message";

/** A request id or Next's digest, which finds the fault in the server's log. */
function referenceOf(error: unknown): { name: string; text: string } | undefined {
  const { digest, data } = (error ?? {}) as {
    digest?: unknown;
    data?: { requestId?: unknown } | null;
  };
  const text = digest ?? data?.requestId;
  if (typeof text !== "string") return undefined;
  return { name: /^\d+$/.test(text) ? "Reference" : "Request ID", text };
}

export function ErrorFallback({ error, retry }: { error: unknown; retry: () => void }) {
  return (
    <StateMessage
      kicker="Something failed"
      title="We could not show this page"
      reference={referenceOf(error)}
      actions={
        <>
          {/* Not `Button`, because this script comes with every page. */}
          <button
            type="button"
            className={buttonStyle({ variant: "primary" })}
            onClick={() => retry()}
          >
            Try again
          </button>
          {/* A full reload discards broken state. */}
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
