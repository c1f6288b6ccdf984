"use client";

import { Button, buttonStyle } from "./button";
import { StateMessage } from "./state-message";

type Props = { error: unknown; retry: () => void };

/** Next names a server's error by a digest, which stands in the server's log beside the cause; the cause itself stays there. */
function digestOf(error: unknown): string | undefined {
  if (typeof error !== "object" || error === null || !("digest" in error)) return undefined;
  return typeof error.digest === "string" ? error.digest : undefined;
}

/** What an error boundary shows: that the fault is ours, how to name it, and two ways on. */
export function FaultMessage({ error, retry }: Props) {
  return (
    <StateMessage
      kicker="Something failed"
      title="We could not show this page"
      reference={digestOf(error)}
      actions={
        <>
          <Button variant="primary" onClick={() => retry()}>
            Try again
          </Button>
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
