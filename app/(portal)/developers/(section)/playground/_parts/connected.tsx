"use client";

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { formatCount } from "#app/_lib/format";
import { trpc } from "#app/_lib/trpc";
import { shortened } from "#app/_parts/playground/authorization";
import { CallForm } from "#app/_parts/playground/call-form.tsx";
import type { Connection, PlaygroundToken } from "#app/_parts/playground/flow";
import { curlOf, type Operation, operationsOf } from "#app/_parts/playground/operations";
import { Alert } from "#app/_ui/alert.tsx";
import { Status } from "#app/_ui/badge.tsx";
import { Button } from "#app/_ui/button.tsx";
import { Card } from "#app/_ui/card.tsx";
import { CodeBlock } from "#app/_ui/code-block.tsx";
import { SelectField } from "#app/_ui/field.tsx";
import { Skeleton } from "#app/_ui/progress.tsx";
import { Time } from "#app/_ui/time.tsx";
import { LiveEvents } from "./live-events";

type ConnectedProps = Connection & { ending: boolean; end: () => void };

export function Connected({ pending, answer, token, ending, end }: ConnectedProps) {
  const callUser = (accessToken: string) =>
    curlOf({
      method: "GET",
      url: new URL("/api/v1/user", pending.redirectUri).href,
      headers: { Authorization: `Bearer ${accessToken}` },
    });
  return (
    <>
      <Card
        title={<Status tone="good">Connected</Status>}
        description={
          <>
            Scopes <code>{token.scope || "none"}</code>; the token ends{" "}
            <Time at={token.expiresAt} />. It is kept in this tab only, until you reload.
          </>
        }
        actions={
          <Button size="sm" busy={ending} onClick={end}>
            Revoke the token
          </Button>
        }
      >
        <CodeBlock
          title="Use it elsewhere; copied with the whole token"
          language="shell"
          code={callUser(shortened(token.accessToken))}
          copied={callUser(token.accessToken)}
          wrap
        />
        <details className="mt-4">
          <summary className="w-fit rounded-control text-sm text-accent-text underline decoration-accent-text/35 underline-offset-[0.2em]">
            How you got this token
          </summary>
          <div className="mt-3 grid gap-3">
            <CodeBlock
              title="1. The browser asked"
              language="http"
              code={`GET ${spelledOut(pending.authorizeUrl)}`}
              wrap
            />
            <CodeBlock
              title="2. You approved and returned to the hosted callback"
              language="http"
              code={`GET ${pending.redirectUri}\n  ?code=${shortened(answer.code ?? "")}\n  &state=${answer.state}\n  &iss=${answer.iss}`}
              wrap
            />
            <CodeBlock
              title="3. The code was exchanged"
              language="http"
              code={`POST /oauth/token\nContent-Type: application/x-www-form-urlencoded\n\ngrant_type=authorization_code\n&code=${shortened(answer.code ?? "")}\n&redirect_uri=${pending.redirectUri}\n&client_id=${pending.clientId}\n&code_verifier=${shortened(pending.verifier)}`}
              wrap
            />
            <CodeBlock
              title="The reply; copied with the whole token"
              language="json"
              code={token.shown}
              copied={token.shown.replace(shortened(token.accessToken), token.accessToken)}
            />
          </div>
        </details>
      </Card>
      <EndpointCaller token={token} />
      <LiveEvents token={token} />
    </>
  );
}

/** One parameter per line. */
function spelledOut(address: string): string {
  const { origin, pathname, searchParams } = new URL(address);
  const lines = [...searchParams].map(
    ([name, value], index) => `  ${index === 0 ? "?" : "&"}${name}=${value}`,
  );
  return [`${origin}${pathname}`, ...lines].join("\n");
}

/** Milliseconds: the request log is written once a second. */
const loggedAfter = 1_500;

function EndpointCaller({ token }: { token: PlaygroundToken }) {
  const operations = useQuery({
    queryKey: ["openapi"],
    queryFn: readOperations,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const application = trpc.applications.get.useQuery({ clientId: token.clientId });
  const [id, setId] = useState<string>();
  if (operations.isError)
    return (
      <Alert tone="bad">
        The API description could not be loaded. Reload the page to try again.
      </Alert>
    );
  const chosen =
    operations.data?.find((operation) => operation.id === id) ?? firstOf(operations.data);
  if (!chosen) return <Skeleton className="h-60 w-full" />;
  const figures = application.data?.figures;
  return (
    <Card
      title="Call"
      footer={
        figures && (
          <span className="tabular">
            This application in the last 24 hours: {formatCount(figures.calls, "call")},{" "}
            {formatCount(figures.errors, "error")}
          </span>
        )
      }
    >
      <div className="grid gap-5">
        <SelectField
          name="endpoint"
          label="Endpoint"
          hint={chosen.description}
          value={chosen.id}
          onChange={(event) => setId(event.target.value)}
          options={(operations.data ?? []).map(({ id: value, method, path, title }) => ({
            value,
            label: `${method} ${path} · ${title}`,
          }))}
          required={false}
          note=""
        />
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

const firstOf = (operations: readonly Operation[] = []) =>
  operations.find(({ path }) => path.endsWith("/user")) ?? operations[0];

async function readOperations(): Promise<Operation[]> {
  const response = await fetch("/api/openapi.json");
  if (!response.ok) throw new Error(`The OpenAPI document answered ${response.status}.`);
  return operationsOf(await response.json());
}
