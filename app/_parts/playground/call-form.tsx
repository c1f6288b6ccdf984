"use client";

import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { Alert } from "#app/_ui/alert.tsx";
import { Badge, Status } from "#app/_ui/badge.tsx";
import { Button } from "#app/_ui/button.tsx";
import { CodeBlock } from "#app/_ui/code-block.tsx";
import { InputField, TextareaField } from "#app/_ui/field.tsx";
import { StatRow } from "#app/_ui/key-value-list.tsx";
import { TextLink } from "#app/_ui/text-link.tsx";
import {
  type CallableEndpoint,
  type CompletedCall,
  callEndpoint,
  holdsScope,
} from "./call-endpoint";
import type { PlaygroundToken } from "./flow";

type Props = { endpoint: CallableEndpoint; token: PlaygroundToken; onCalled?: () => void };

export function CallForm({ endpoint, token, onCalled }: Props) {
  const granted = token.scope.split(" ");
  const [values, setValues] = useState<Readonly<Record<string, string>>>({});
  const [body, setBody] = useState(endpoint.body ?? "");
  // Kept apart from the mutation, so that an answer stays visible during the next call.
  const [called, setCalled] = useState<CompletedCall>();
  const call = useMutation({
    mutationFn: () => callEndpoint(endpoint, { values, body, accessToken: token.accessToken }),
    onSuccess(answered) {
      setCalled(answered);
      onCalled?.();
    },
  });

  function send(event: FormEvent) {
    event.preventDefault();
    call.mutate();
  }

  return (
    <form onSubmit={send} className="grid gap-5">
      <div className="flex flex-wrap items-center gap-2 text-sm">
        <span className="text-ink-faint">Needs</span>
        {endpoint.scopes.length === 0 && <span>no scope</span>}
        {endpoint.scopes.map((scope) => (
          <Badge key={scope} tone={holdsScope(scope, granted) ? "good" : "warn"}>
            {scope}
            {holdsScope(scope, granted) ? "" : ", not granted"}
          </Badge>
        ))}
      </div>
      {endpoint.parameters.length > 0 && (
        <div className="grid items-start gap-4 sm:grid-cols-2">
          {endpoint.parameters.map(({ name, in: where, required, description, example }) => (
            <InputField
              key={name}
              id={`parameter-${name}`}
              name={name}
              label={<code>{name}</code>}
              hint={description || `In the ${where}.`}
              required={required}
              code
              autoComplete="off"
              placeholder={example}
              value={values[name] ?? ""}
              onChange={(event) => setValues({ ...values, [name]: event.target.value })}
            />
          ))}
        </div>
      )}
      {endpoint.body !== undefined && (
        <TextareaField
          id="call-body"
          name="body"
          label="Body"
          hint="JSON."
          code
          rows={6}
          value={body}
          onChange={(event) => setBody(event.target.value)}
        />
      )}
      <div>
        <Button type="submit" variant="primary" busy={call.isPending}>
          Send
        </Button>
      </div>
      {call.isError && (
        <Alert tone="bad" live>
          No answer. Check your connection and try again.
        </Alert>
      )}
      {called && <CallResult called={called} />}
    </form>
  );
}

function CallResult({ called }: { called: CompletedCall }) {
  const header = (wanted: string) => called.headers.find(([name]) => name === wanted)?.[1];
  return (
    <section className="grid gap-4" aria-label="Answer to your call" aria-live="polite">
      <StatRow
        items={[
          {
            label: "Status",
            value: <Status tone={called.ok ? "good" : "bad"}>{called.status}</Status>,
          },
          { label: "Time", value: `${called.milliseconds} ms` },
          {
            label: "Calls left",
            value: header("x-ratelimit-remaining") ?? "–",
            hint: `of ${header("x-ratelimit-limit") ?? "–"} a minute`,
          },
          { label: "Limit resets in", value: `${header("x-ratelimit-reset") ?? "–"} s` },
        ]}
      />
      {!called.ok && <WhatItMeans body={called.body} />}
      <CodeBlock
        title="Your request; copied with the whole token"
        language="shell"
        code={called.command}
        copied={called.copied}
        wrap
      />
      <CodeBlock title="Response body" language="json" code={called.body || "(no body)"} />
      <CodeBlock
        title="Response headers"
        language="http"
        code={called.headers.map(([name, value]) => `${name}: ${value}`).join("\n")}
        wrap
      />
    </section>
  );
}

function WhatItMeans({ body }: { body: string }) {
  const code = /"code": (\d+)/.exec(body)?.[1];
  if (code === undefined) return null;
  return (
    <p className="text-sm text-ink-soft">
      <TextLink href={`/docs/errors/${code}`}>What error {code} means, and what to do</TextLink>
    </p>
  );
}
