"use client";

import { useState } from "react";
import { signInPath } from "#app/_lib/sign-in-path";
import { Alert } from "#app/_ui/alert.tsx";
import { LinkButton } from "#app/_ui/link-button.tsx";
import { ConfirmHere } from "./confirm-here";
import type { Refused } from "./read-refusal";

type Props = {
  refused: Refused | undefined;
  /** The page to come back to after a sign-in. */
  here: string;
};

/** Why an act was refused, and the way on where a proof is what it wants: what was typed in the page stays. */
export function RefusalAlert({ refused, here }: Props) {
  const [confirmed, setConfirmed] = useState<Refused>();
  if (!refused) return null;
  if (refused.wants === "sign-in")
    return (
      <Alert
        tone="warn"
        title="You are signed out"
        live
        actions={
          <LinkButton href={signInPath({ next: here })} document size="sm">
            Sign in again
          </LinkButton>
        }
      >
        You will return to this page.
      </Alert>
    );
  if (refused.wants === "confirmation")
    return refused === confirmed ? (
      <Alert tone="good" title="Confirmed" live>
        Press the button again.
      </Alert>
    ) : (
      <Alert tone="warn" title="Confirm it's you to continue" live>
        <ConfirmHere onConfirmed={() => setConfirmed(refused)} />
      </Alert>
    );
  return (
    <Alert tone="bad" live>
      {refused.message}
    </Alert>
  );
}
