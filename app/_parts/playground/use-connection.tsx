import { useMutation } from "@tanstack/react-query";
import { useEffect, useSyncExternalStore } from "react";
import { Card } from "#app/_ui/card.tsx";
import { Skeleton } from "#app/_ui/progress.tsx";
import { exchangeCode, revoke } from "./authorization";
import { connectionOfTab, type Flow, takeFlow } from "./flow";

/**
 * Takes a waiting answer first. Separate from `flow.ts`, because a reference page needs only this
 * and would load the whole client.
 */
export function useConnection(baseUrl: string) {
  const connection = useSyncExternalStore(
    connectionOfTab.subscribe,
    connectionOfTab.get,
    () => undefined,
  );
  const exchanged = useMutation({
    mutationFn: (flow: Flow) => exchangeCode(flow, baseUrl),
    onSuccess: (token, flow) => connectionOfTab.set({ ...flow, token }),
  });
  const ended = useMutation({
    mutationFn: revoke,
    onSettled: () => connectionOfTab.set(undefined),
  });

  // biome-ignore lint/correctness/useExhaustiveDependencies: the hosted callback's answer is consumed once.
  useEffect(() => {
    const flow = takeFlow();
    if (flow) exchanged.mutate(flow);
  }, []);

  return {
    connection,
    connecting: exchanged.isPending,
    refused: exchanged.error,
    ending: ended.isPending,
    end: () => connection && ended.mutate(connection.token),
  };
}

/** During the code exchange. */
export function Connecting() {
  return (
    <Card title="Connecting">
      <div className="grid gap-3" role="status" aria-label="Exchanging the code">
        <Skeleton className="h-5 w-60" />
        <Skeleton className="h-24 w-full" />
      </div>
    </Card>
  );
}
