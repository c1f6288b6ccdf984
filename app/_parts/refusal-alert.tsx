"use client";

import { lazy, Suspense, useState } from "react";
import { type ProcedureError, refusalSentence, wantedProof } from "#app/_lib/refusal";
import { signInPath } from "#app/_lib/sign-in-path";
import { Alert } from "#app/_ui/alert.tsx";
import { LinkButton } from "#app/_ui/text-link.tsx";

/** Loaded on demand, because few acts are refused. */
const ConfirmHere = lazy(async () => ({
  default: (await import("./confirm-here")).IdentityConfirmation,
}));

type Props = {
  refused: ProcedureError | null;
  /** A sign-in returns to this path. */
  here: string;
  /** True shows only requests for a proof, because other errors appear elsewhere. */
  proofOnly?: boolean;
  className?: string;
};

/** Asks for the wanted proof in place, so that typed values stay. */
export function RefusalAlert({ refused, here, proofOnly = false, className }: Props) {
  const [confirmed, setConfirmed] = useState<ProcedureError>();
  const wanted = refused && wantedProof(refused);
  if (!refused || (proofOnly && !wanted)) return null;
  const alert =
    wanted === "sign-in" ? (
      <Alert
        tone="warn"
        title="You are signed out"
        live
        actions={
          <LinkButton href={signInPath({ next: here })} size="sm">
            Sign in again
          </LinkButton>
        }
      >
        You will return to this page.
      </Alert>
    ) : wanted === null ? (
      <Alert tone="bad" live>
        {refusalSentence(refused)}
      </Alert>
    ) : refused === confirmed ? (
      <Alert tone="good" title="Confirmed" live>
        Press the button again.
      </Alert>
    ) : (
      <Alert tone="warn" title="Confirm it's you to continue" live>
        <Suspense>
          <ConfirmHere onConfirmed={() => setConfirmed(refused)} />
        </Suspense>
      </Alert>
    );
  return className ? <div className={className}>{alert}</div> : alert;
}
