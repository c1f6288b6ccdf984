"use client";

import { type KeyboardEvent, useState } from "react";
import { signWithPasskey } from "#app/_lib/passkeys";
import { type ProcedureError, refusalSentence, wantedProof } from "#app/_lib/refusal";
import { signInPath } from "#app/_lib/sign-in-path";
import { trpc } from "#app/_lib/trpc";
import { Alert } from "#app/_ui/alert.tsx";
import { Button } from "#app/_ui/button.tsx";
import { InputField } from "#app/_ui/field.tsx";
import { LinkButton } from "#app/_ui/text-link.tsx";

type Props = {
  refused: ProcedureError | null;
  /** Where a sign-in returns to. */
  here: string;
  /** Shows only requests for a proof; other errors appear elsewhere. */
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
          <LinkButton href={signInPath({ next: here })} document size="sm">
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
        <ConfirmHere onConfirmed={() => setConfirmed(refused)} />
      </Alert>
    );
  return className ? <div className={className}>{alert}</div> : alert;
}

/** In place. Not a form, because it may be inside one. */
function ConfirmHere({ onConfirmed }: { onConfirmed: () => void }) {
  const asked = trpc.confirmation.show.useQuery(undefined, { staleTime: 0, gcTime: 0 });
  const withCode = trpc.confirmation.withCode.useMutation({ onSuccess: onConfirmed });
  const withGameKey = trpc.confirmation.withGameKey.useMutation({ onSuccess: onConfirmed });
  const beginPasskey = trpc.passkeys.beginConfirmation.useMutation();
  const withPasskey = trpc.confirmation.withPasskey.useMutation({ onSuccess: onConfirmed });
  const [proof, setProof] = useState("");
  const [problem, setProblem] = useState<string>();

  const passkeyFault = beginPasskey.error ?? withPasskey.error;
  const usePasskey = () =>
    beginPasskey.mutate(undefined, {
      async onSuccess(options) {
        const asked = await signWithPasskey(options);
        setProblem(asked.problem);
        if (asked.problem === undefined) withPasskey.mutate({ answer: asked.answer });
      },
    });

  const byCode = asked.data?.by === "code";
  const { isPending, error, reset } = byCode ? withCode : withGameKey;

  function confirm() {
    if (isPending) return;
    if (byCode) withCode.mutate({ code: proof });
    else withGameKey.mutate({ gameKey: proof });
  }

  function onKeyDown(event: KeyboardEvent) {
    if (event.key !== "Enter") return;
    // Would submit the surrounding form.
    event.preventDefault();
    confirm();
  }

  if (!asked.data) return asked.error && refusalSentence(asked.error);
  return (
    <div className="mt-2 grid gap-3 sm:max-w-90">
      {asked.data.byPasskey && (
        <>
          <div>
            <Button
              size="sm"
              variant="primary"
              busy={beginPasskey.isPending || withPasskey.isPending}
              onClick={usePasskey}
            >
              Confirm with a passkey
            </Button>
          </div>
          {(problem || passkeyFault) && (
            <p className="text-sm text-bad">
              {problem ?? (passkeyFault && refusalSentence(passkeyFault))}
            </p>
          )}
          <p className="text-sm text-ink-soft">Or:</p>
        </>
      )}
      <InputField
        name="confirmation"
        label={byCode ? "Code from your app, or a backup code" : "Your API key"}
        error={error && refusalSentence(error)}
        code
        type={byCode ? "text" : "password"}
        autoComplete={byCode ? "one-time-code" : "current-password"}
        maxLength={1_000}
        autoFocus={!asked.data.byPasskey}
        value={proof}
        onKeyDown={onKeyDown}
        onChange={(event) => {
          setProof(event.target.value);
          reset();
        }}
      />
      <div>
        <Button
          size="sm"
          variant={asked.data.byPasskey ? "secondary" : "primary"}
          busy={isPending}
          onClick={confirm}
        >
          Confirm
        </Button>
      </div>
    </div>
  );
}
