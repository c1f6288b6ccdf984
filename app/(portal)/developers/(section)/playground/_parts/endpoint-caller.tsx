"use client";

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { formatCappedCount, formatNumber } from "#app/_lib/format";
import { trpc } from "#app/_lib/trpc";
import type { PlaygroundToken } from "#app/_parts/playground/authorization";
import { CallForm } from "#app/_parts/playground/call-form.tsx";
import { type Operation, operationsOf } from "#app/_parts/playground/operations";
import { Alert } from "#app/_ui/alert.tsx";
import { Card } from "#app/_ui/card.tsx";
import { Select } from "#app/_ui/controls.tsx";
import { Field } from "#app/_ui/field.tsx";
import { Skeleton } from "#app/_ui/skeleton.tsx";

/** Milliseconds: the request log is written in batches, once a second. */
const loggedAfter = 1_500;

/** Calls any endpoint of the API, as the OpenAPI document describes it; and counts along. */
export function EndpointCaller({ token }: { token: PlaygroundToken }) {
  const operations = useQuery({ queryKey: ["openapi"], queryFn: readOperations, staleTime: Number.POSITIVE_INFINITY });
  const application = trpc.applications.get.useQuery({ clientId: token.clientId });
  const [id, setId] = useState<string>();
  if (operations.isError)
    return <Alert tone="bad">The API description could not be loaded. Reload the page to try again.</Alert>;
  const chosen = operations.data?.find((operation) => operation.id === id) ?? firstOf(operations.data);
  if (!chosen) return <Skeleton className="h-60 w-full" />;
  const figures = application.data?.figures;
  return (
    <Card
      title="Call"
      footer={
        figures && (
          <span className="tabular">
            This application in the last 24 hours: {formatCappedCount(figures.calls, "call")}, of{" "}
            {figures.calls.more ? "the newest" : "them"} {figures.calls.more && `${formatNumber(figures.calls.count)} `}
            {formatNumber(figures.errors)} with an error
          </span>
        )
      }
    >
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
        <CallForm
          key={chosen.id}
          operation={chosen}
          token={token}
          onCalled={() => setTimeout(() => application.refetch(), loggedAfter)}
        />
      </div>
    </Card>
  );
}

/** The first call of anybody: who am I. */
const firstOf = (operations: readonly Operation[] = []) =>
  operations.find(({ path }) => path.endsWith("/user")) ?? operations[0];

async function readOperations(): Promise<Operation[]> {
  const response = await fetch("/api/openapi.json");
  if (!response.ok) throw new Error(`The OpenAPI document answered ${response.status}.`);
  return operationsOf(await response.json());
}
