"use client";

import { useState } from "react";
import { formatCount } from "#app/_lib/format";
import { trpc } from "#app/_lib/trpc";
import { shortenToken } from "#app/_parts/playground/authorization";
import { type CallableEndpoint, curlOf } from "#app/_parts/playground/call-endpoint";
import { CallForm } from "#app/_parts/playground/call-form.tsx";
import type { Connection } from "#app/_parts/playground/flow";
import { Status } from "#app/_ui/badge.tsx";
import { Button } from "#app/_ui/button.tsx";
import { Card } from "#app/_ui/card.tsx";
import { CodeBlock } from "#app/_ui/code-block.tsx";
import { SelectField } from "#app/_ui/field.tsx";
import { Time } from "#app/_ui/time.tsx";
import { LiveEvents } from "./live-events";

type ConnectedPlaygroundProps = Connection & {
  endpoints: readonly CallableEndpoint[];
  ending: boolean;
  end: () => void;
};

const userPath = "/api/v1/user";

export function ConnectedPlayground({
  endpoints,
  pending,
  answer,
  token,
  ending,
  end,
}: ConnectedPlaygroundProps) {
  const callUser = (accessToken: string) =>
    curlOf({
      method: "GET",
      url: new URL(userPath, pending.redirectUri).href,
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
          code={callUser(shortenToken(token.accessToken))}
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
              code={`GET ${pending.redirectUri}\n  ?code=${shortenToken(answer.code ?? "")}\n  &state=${answer.state}\n  &iss=${answer.iss}`}
              wrap
            />
            <CodeBlock
              title="3. The code was exchanged"
              language="http"
              code={`POST /oauth/token\nContent-Type: application/x-www-form-urlencoded\n\ngrant_type=authorization_code\n&code=${shortenToken(answer.code ?? "")}\n&redirect_uri=${pending.redirectUri}\n&client_id=${pending.clientId}\n&code_verifier=${shortenToken(pending.verifier)}`}
              wrap
            />
            <CodeBlock
              title="The reply; copied with the whole token"
              language="json"
              code={token.shown}
              copied={token.shown.replace(shortenToken(token.accessToken), token.accessToken)}
            />
          </div>
        </details>
      </Card>
      <EndpointCaller endpoints={endpoints} token={token} />
      <LiveEvents token={token} />
    </>
  );
}

function spelledOut(address: string): string {
  const { origin, pathname, searchParams } = new URL(address);
  const lines = [...searchParams].map(
    ([name, value], index) => `  ${index === 0 ? "?" : "&"}${name}=${value}`,
  );
  return [`${origin}${pathname}`, ...lines].join("\n");
}

/** Milliseconds: the request log is written once a second. */
const loggedAfter = 1_500;

type CallerProps = Pick<ConnectedPlaygroundProps, "endpoints" | "token">;

function EndpointCaller({ endpoints, token }: CallerProps) {
  const application = trpc.applications.get.useQuery({ clientId: token.clientId });
  const [id, setId] = useState(`GET ${userPath}`);
  const chosen = endpoints.find((endpoint) => idOf(endpoint) === id);
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
          hint={chosen?.description}
          value={id}
          onChange={(event) => setId(event.target.value)}
          options={endpoints.map((endpoint) => ({
            value: idOf(endpoint),
            label: `${idOf(endpoint)} · ${endpoint.title}`,
          }))}
          required={false}
          note=""
        />
        {chosen && (
          <CallForm
            key={id}
            endpoint={chosen}
            token={token}
            onCalled={() => setTimeout(() => application.refetch(), loggedAfter)}
          />
        )}
      </div>
    </Card>
  );
}

const idOf = ({ method, path }: CallableEndpoint) => `${method} ${path}`;
