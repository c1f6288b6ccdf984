"use client";

import { KeyRound } from "lucide-react";
import { type FormEvent, useState } from "react";
import { signWithPasskey } from "#app/_lib/passkeys";
import { Alert } from "#app/_ui/alert.tsx";
import { Button } from "#app/_ui/button.tsx";
import { HiddenFields } from "#app/_ui/post-form.tsx";

type Props = {
  /** `<action>/start` returns the challenge. */
  action: string;
  fields: Readonly<Record<string, string | undefined>>;
  label: string;
  primary?: boolean;
};

/** Without script the form is sent without an answer, and the next page explains it. */
export function PasskeyForm({ action, fields, label, primary = false }: Props) {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();

  async function send(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    if (busy) return;
    const form = event.currentTarget;
    setBusy(true);
    setProblem(undefined);
    const asked = await answerFor(form, action);
    if (asked.problem === undefined) {
      const field = form.elements.namedItem("answer");
      if (field instanceof HTMLInputElement) field.value = asked.answer;
      form.submit();
      return;
    }
    setProblem(asked.problem);
    setBusy(false);
  }

  return (
    <form method="post" action={action} onSubmit={send} className="grid gap-4">
      <HiddenFields fields={fields} />
      <input type="hidden" name="answer" />
      {problem && (
        <Alert tone="warn" live>
          {problem}
        </Alert>
      )}
      <Button type="submit" variant={primary ? "primary" : "secondary"} size="lg" block busy={busy}>
        <KeyRound className="size-5" />
        {label}
      </Button>
    </form>
  );
}

async function answerFor(form: HTMLFormElement, action: string) {
  const sent = new URLSearchParams();
  for (const [name, value] of new FormData(form))
    if (typeof value === "string") sent.append(name, value);
  const started = await fetch(`${action}/start`, {
    method: "POST",
    body: sent,
    redirect: "error",
  }).catch(() => undefined);
  if (!started?.ok)
    return {
      problem:
        started?.status === 429
          ? "Too many tries. Wait a minute."
          : "That did not work. Reload the page.",
    };
  return signWithPasskey(await started.json());
}
