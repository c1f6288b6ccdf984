"use client";

import { type FormEvent, useState } from "react";
import { Alert } from "#app/_ui/alert.tsx";
import { Badge } from "#app/_ui/badge.tsx";
import { Button } from "#app/_ui/button.tsx";
import { Field } from "#app/_ui/field.tsx";
import { Input } from "#app/_ui/input.tsx";
import { Textarea } from "#app/_ui/textarea.tsx";
import { type Called, callEndpoint } from "./call-endpoint";
import { CallResult } from "./call-result";
import type { PlaygroundToken } from "./exchange";
import type { Operation } from "./operations";

type Props = { operation: Operation; token: PlaygroundToken; onCalled: () => void };

/** Fills in one endpoint's parameters, sends the call and shows what came back. */
export function CallForm({ operation, token, onCalled }: Props) {
  const granted = token.scope.split(" ");
  const [values, setValues] = useState<Readonly<Record<string, string>>>({});
  const [body, setBody] = useState(operation.body ?? "");
  const [busy, setBusy] = useState(false);
  const [called, setCalled] = useState<Called>();
  const [fault, setFault] = useState<string>();

  async function send(event: FormEvent) {
    event.preventDefault();
    setBusy(true);
    setFault(undefined);
    try {
      setCalled(await callEndpoint(operation, { values, body, accessToken: token.accessToken }));
      onCalled();
    } catch {
      setFault("No answer. Check your connection and try again.");
    } finally {
      setBusy(false);
    }
  }

  return (
    <form onSubmit={send} className="grid gap-5">
      <div className="flex flex-wrap items-center gap-2 text-sm">
        <span className="text-ink-faint">Needs</span>
        {operation.scopes.length === 0 && <span>no scope</span>}
        {operation.scopes.map((scope) => (
          <Badge key={scope} tone={isCovered(scope, granted) ? "good" : "warn"}>
            {scope}
            {isCovered(scope, granted) ? "" : ", not granted"}
          </Badge>
        ))}
      </div>
      {operation.parameters.length > 0 && (
        <div className="grid items-start gap-4 sm:grid-cols-2">
          {operation.parameters.map(({ name, in: where, required, description, example }) => (
            <Field
              key={name}
              id={`parameter-${name}`}
              name={name}
              label={<code className="font-mono">{name}</code>}
              hint={description || `In the ${where}.`}
              required={required}
            >
              {(control) => (
                <Input
                  {...control}
                  code
                  autoComplete="off"
                  placeholder={example}
                  value={values[name] ?? ""}
                  onChange={(event) => setValues({ ...values, [name]: event.target.value })}
                />
              )}
            </Field>
          ))}
        </div>
      )}
      {operation.body !== undefined && operation.method !== "GET" && (
        <Field name="body" label="Body" hint="JSON.">
          {(control) => (
            <Textarea {...control} code rows={6} value={body} onChange={(event) => setBody(event.target.value)} />
          )}
        </Field>
      )}
      <div>
        <Button type="submit" variant="primary" busy={busy}>
          Send
        </Button>
      </div>
      {fault && (
        <Alert tone="bad" live>
          {fault}
        </Alert>
      )}
      {called && <CallResult called={called} />}
    </form>
  );
}

const isCovered = (scope: string, granted: readonly string[]) =>
  granted.includes(scope) || (scope.startsWith("faction:") && granted.includes("faction"));
