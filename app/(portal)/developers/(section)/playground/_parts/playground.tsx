"use client";
import { shortened } from "#app/_parts/playground/authorization";
import { Connect } from "#app/_parts/playground/connect.tsx";
import { Connecting } from "#app/_parts/playground/connecting.tsx";
import type { Connection } from "#app/_parts/playground/connection";
import { useConnection } from "#app/_parts/playground/use-connection";
import { Alert } from "#app/_ui/alert.tsx";
import { Status } from "#app/_ui/badge.tsx";
import { Button } from "#app/_ui/button.tsx";
import { Card } from "#app/_ui/card.tsx";
import { CodeBlock } from "#app/_ui/code-block.tsx";
import { Time } from "#app/_ui/time.tsx";
import { EndpointCaller } from "./endpoint-caller";
import { LiveEvents } from "./live-events";

type Props = {
  baseUrl: string;
  /** The application that the reader came for. */
  wanted: string | undefined;
};

/** First connects, then calls. */
export function Playground({ baseUrl, wanted }: Props) {
  const { connection, connecting, refused, ending, end } = useConnection(baseUrl);
  if (connecting) return <Connecting />;
  if (connection) return <Connected {...connection} ending={ending} onEnd={end} />;
  return (
    <>
      {refused && (
        <Alert tone="bad" title="No token was issued" live>
          {refused.message}
        </Alert>
      )}
      <Connect baseUrl={baseUrl} wanted={wanted} page="/developers/playground" firstScopes={["identity"]} />
    </>
  );
}

type ConnectedProps = Connection & { ending: boolean; onEnd: () => void };

/** What was sent and what came back on the way to the token; and the calls that it opens. */
export function Connected({ pending, answer, token, ending, onEnd }: ConnectedProps) {
  return (
    <>
      <Card
        title={<Status tone="good">Connected</Status>}
        description={
          <>
            Scopes <code className="font-mono">{token.scope || "none"}</code>; the token ends{" "}
            <Time at={token.expiresAt} />. It is kept in this tab only, until you reload.
          </>
        }
        actions={
          <Button size="sm" busy={ending} onClick={onEnd}>
            Revoke the token
          </Button>
        }
      >
        <details>
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
            <CodeBlock title="The reply" language="json" code={token.shown} />
          </div>
        </details>
      </Card>
      <EndpointCaller token={token} />
      <LiveEvents token={token} />
    </>
  );
}

/** An address with one parameter on each line, for people. */
function spelledOut(address: string): string {
  const { origin, pathname, searchParams } = new URL(address);
  const lines = [...searchParams].map(([name, value], index) => `  ${index === 0 ? "?" : "&"}${name}=${value}`);
  return [`${origin}${pathname}`, ...lines].join("\n");
}
