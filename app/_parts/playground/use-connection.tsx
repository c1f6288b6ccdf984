import { useMutation } from "@tanstack/react-query";
import { useEffect, useSyncExternalStore } from "react";
import { Card } from "#app/_ui/card.tsx";
import { Skeleton } from "#app/_ui/progress.tsx";
import { exchangeCode, revoke } from "./authorization";
import { connectionOfTab, type Flow, takeFlow } from "./flow";

/**
 * The connection of this tab, which an answer that waits on this page becomes first. It is apart from `flow.ts`, because a
 * page of the reference asks for the connection alone, and would load the whole client with this.
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

  // biome-ignore lint/correctness/useExhaustiveDependencies: what came back to the hosted callback is taken once.
  useEffect(() => {
    const flow = takeFlow();
    if (flow) exchanged.mutate(flow);
  }, []);

  return {
    connection,
    connecting: exchanged.isPending,
    refused: exchanged.error,
    ending: ended.isPending,
    /** Revokes the token. */
    end: () => connection && ended.mutate(connection.token),
  };
}

/** While the code is exchanged. */
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
