"use client";

import { type KeyboardEvent, useState } from "react";
import { signWithPasskey } from "#app/_lib/passkeys";
import { refusalSentence } from "#app/_lib/refusal";
import { trpc } from "#app/_lib/trpc";
import { Button } from "#app/_ui/button.tsx";
import { InputField } from "#app/_ui/field.tsx";

/** Not a form element, because it may be inside a form. */
export function IdentityConfirmation({ onConfirmed }: { onConfirmed: () => void }) {
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
    // Enter would submit the surrounding form.
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
