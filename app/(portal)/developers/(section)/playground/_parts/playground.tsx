"use client";

import { useMutation } from "@tanstack/react-query";
import { useEffect } from "react";
import { type Flow, takeFlow } from "#app/_lib/playground-flow";
import { Alert } from "#app/_ui/alert.tsx";
import { Card } from "#app/_ui/card.tsx";
import { Skeleton } from "#app/_ui/skeleton.tsx";
import { exchange } from "./authorization";
import { Connect } from "./connect";
import { Connected } from "./connected";

type Props = {
  baseUrl: string;
  /** The application that the reader came for. */
  wanted: string | undefined;
};

/** First connects, then calls. The token lives in this page's memory and dies with it. */
export function Playground({ baseUrl, wanted }: Props) {
  const exchanged = useMutation({ mutationFn: (flow: Flow) => exchange(flow, baseUrl) });

  // biome-ignore lint/correctness/useExhaustiveDependencies: what came back to the hosted callback is taken once.
  useEffect(() => {
    const flow = takeFlow();
    if (flow) exchanged.mutate(flow);
  }, []);

  if (exchanged.isPending) return <Connecting />;
  if (exchanged.isSuccess)
    return <Connected {...exchanged.variables} token={exchanged.data} onEnd={() => exchanged.reset()} />;
  return (
    <>
      {exchanged.error && (
        <Alert tone="bad" title="No token was issued" live>
          {exchanged.error.message}
        </Alert>
      )}
      <Connect baseUrl={baseUrl} wanted={wanted} />
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
