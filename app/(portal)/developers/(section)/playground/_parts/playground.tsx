"use client";

import { lazy, Suspense, useEffect, useState } from "react";
import { type FlowAnswer, type PendingFlow, takeFlow } from "#app/_lib/playground-flow";
import { Alert } from "#app/_ui/alert.tsx";
import { Card } from "#app/_ui/card.tsx";
import { Skeleton } from "#app/_ui/skeleton.tsx";
import { Connect, type UsableApplication } from "./connect";
import { exchange, type PlaygroundToken } from "./exchange";

// What calls is loaded when there is something to call with.
const Connected = lazy(() => import("./connected").then((module) => ({ default: module.Connected })));

type Props = {
  baseUrl: string;
  /** The application that the reader came for. */
  wanted: string | undefined;
  usable: readonly UsableApplication[];
  /** What the server asked already; see Hydrated. */
  known: unknown;
};

type Phase =
  | { kind: "idle"; fault?: string }
  | { kind: "exchanging" }
  | { kind: "connected"; pending: PendingFlow; answer: FlowAnswer; token: PlaygroundToken };

/** First connects, then calls. The token lives in this page's memory and dies with it. */
export function Playground({ baseUrl, wanted, usable, known }: Props) {
  const [phase, setPhase] = useState<Phase>({ kind: "idle" });

  useEffect(() => {
    const flow = takeFlow();
    if (!flow) return;
    setPhase({ kind: "exchanging" });
    exchange(flow.pending, flow.answer, baseUrl).then(
      (token) => setPhase({ kind: "connected", ...flow, token }),
      (thrown: unknown) =>
        setPhase({ kind: "idle", fault: thrown instanceof Error ? thrown.message : "Something went wrong." }),
    );
  }, [baseUrl]);

  if (phase.kind === "exchanging") return <Connecting />;
  if (phase.kind === "connected")
    return (
      <Suspense fallback={<Connecting />}>
        <Connected {...phase} known={known} onEnd={() => setPhase({ kind: "idle" })} />
      </Suspense>
    );
  return (
    <>
      {phase.fault && (
        <Alert tone="bad" title="No token was issued" live>
          {phase.fault}
        </Alert>
      )}
      <Connect baseUrl={baseUrl} wanted={wanted} usable={usable} />
    </>
  );
}

function Connecting() {
  return (
    <Card title="Connecting">
      <div className="grid gap-3" role="status" aria-label="Exchanging the code">
        <Skeleton className="h-5 w-60" />
        <Skeleton className="h-24 w-full" />
      </div>
    </Card>
  );
}
