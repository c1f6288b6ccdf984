"use client";

import { useQuery } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { Alert } from "#ui/alert";
import { Badge } from "#ui/badge";
import { Button } from "#ui/button";
import { Card } from "#ui/card";
import { Field } from "#ui/field";
import { Input } from "#ui/input";
import { Select } from "#ui/select";
import { Skeleton } from "#ui/skeleton";
import { Textarea } from "#ui/textarea";
import { type Called, callEndpoint } from "./call-endpoint";
import { CallResult } from "./call-result";
import { type Operation, operationsOf } from "./operations";

type Props = { accessToken: string; granted: readonly string[] };

/** Calls any endpoint of the API, as the OpenAPI document describes it. */
export function EndpointCaller({ accessToken, granted }: Props) {
  const operations = useQuery({ queryKey: ["openapi"], queryFn: readOperations, staleTime: Number.POSITIVE_INFINITY });
  const [id, setId] = useState<string>();
  if (operations.isError)
    return <Alert tone="bad">The description of the API could not be read. Reload the page to try again.</Alert>;
  const chosen = operations.data?.find((operation) => operation.id === id) ?? preferred(operations.data);
  if (!chosen) return <Skeleton className="h-60 w-full" />;
  return (
    <Card title="Call">
      <div className="grid gap-5">
        <Field name="endpoint" label="Endpoint" hint={chosen.description}>
          {({ required: _, ...control }) => (
            <Select
              {...control}
              value={chosen.id}
              onChange={(event) => setId(event.target.value)}
              options={(operations.data ?? []).map(({ id: value, method, path, title }) => ({
                value,
                label: `${method} ${path} · ${title}`,
              }))}
            />
          )}
        </Field>
        <CallForm key={chosen.id} operation={chosen} accessToken={accessToken} granted={granted} />
      </div>
    </Card>
  );
}

function CallForm({ operation, accessToken, granted }: { operation: Operation } & Props) {
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
      setCalled(await callEndpoint(operation, { values, body, accessToken }));
    } catch {
      setFault("There was no answer. Check the connection and try again.");
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
        <div className="grid gap-4 sm:grid-cols-2">
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

/** The first call of anybody: who am I. */
const preferred = (operations: readonly Operation[] = []) =>
  operations.find(({ path }) => path.endsWith("/user")) ?? operations[0];

async function readOperations(): Promise<Operation[]> {
  const response = await fetch("/api/openapi.json");
  if (!response.ok) throw new Error(`The OpenAPI document answered ${response.status}.`);
  return operationsOf(await response.json());
}
