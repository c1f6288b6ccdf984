"use client";

import { type KeyboardEvent, useEffect, useState } from "react";
import { useAct } from "#app/_lib/use-act";
import { Button } from "#app/_ui/button.tsx";
import { Field } from "#app/_ui/field.tsx";
import { Input } from "#app/_ui/input.tsx";
import { readRefusal } from "./read-refusal";

/** Confirms who the user is without leaving the page. No form of its own: it may stand within one. */
export function ConfirmHere({ onConfirmed }: { onConfirmed: () => void }) {
  const ask = useAct((portal, _: undefined) => portal.confirmation.show.query());
  const prove = useAct((portal, { by, proof }: { by: "code" | "game-key"; proof: string }) =>
    by === "code"
      ? portal.confirmation.withCode.mutate({ code: proof })
      : portal.confirmation.withGameKey.mutate({ gameKey: proof }),
  );
  const [by, setBy] = useState<"code" | "game-key">();
  const [proof, setProof] = useState("");
  const [fault, setFault] = useState<string>();

  // biome-ignore lint/correctness/useExhaustiveDependencies: what the account confirms by is asked once.
  useEffect(() => {
    ask
      .run(undefined)
      .then((shown) => setBy(shown.by))
      .catch((thrown: unknown) => setFault(readRefusal(thrown).message));
  }, []);

  async function confirm() {
    if (!by || prove.busy) return;
    setFault(undefined);
    try {
      await prove.run({ by, proof });
      onConfirmed();
    } catch (thrown) {
      setFault(readRefusal(thrown).message);
    }
  }

  function onKeyDown(event: KeyboardEvent) {
    if (event.key !== "Enter") return;
    // It would send the form that this may stand in.
    event.preventDefault();
    void confirm();
  }

  if (!by) return fault ?? null;
  return (
    <div className="mt-2 grid gap-3 sm:max-w-90">
      <Field
        name="confirmation"
        label={by === "code" ? "Code from your app, or a backup code" : "Your API key"}
        error={fault}
      >
        {(control) => (
          <Input
            {...control}
            code
            type={by === "code" ? "text" : "password"}
            autoComplete={by === "code" ? "one-time-code" : "current-password"}
            maxLength={64}
            autoFocus
            value={proof}
            onKeyDown={onKeyDown}
            onChange={(event) => {
              setProof(event.target.value);
              setFault(undefined);
            }}
          />
        )}
      </Field>
      <div>
        <Button size="sm" variant="primary" busy={prove.busy} onClick={confirm}>
          Confirm
        </Button>
      </div>
    </div>
  );
}
