"use client";

// Apart from state-message.tsx, which every page loads: together they weigh 0.2 kB more.
import { buttonStyle } from "./class-names";
import { StateMessage } from "./state-message";

type Props = { error: unknown; retry: () => void };

/**
 * What the server's log has beside the cause, which stays there: the id of the request that a procedure of the page failed in, or of
 * a procedure that the browser asked; of any other fault the digest that Next made of it.
 */
function referenceOf(error: unknown): { name: string; text: string } | undefined {
  const { digest, data } = (error ?? {}) as {
    digest?: unknown;
    data?: { requestId?: unknown } | null;
  };
  const text = digest ?? data?.requestId;
  if (typeof text !== "string") return undefined;
  return { name: /^\d+$/.test(text) ? "Reference" : "Request ID", text };
}

/** What an error boundary shows: that the fault is ours, how to name it, and two ways on. */
export function FaultMessage({ error, retry }: Props) {
  return (
    <StateMessage
      kicker="Something failed"
      title="We could not show this page"
      reference={referenceOf(error)}
      actions={
        <>
          {/* No Button: the last resort's script comes with every page. */}
          <button
            type="button"
            className={buttonStyle({ variant: "primary" })}
            onClick={() => retry()}
          >
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
