import { useMutation } from "@tanstack/react-query";
import { useEffect, useSyncExternalStore } from "react";
import { type Flow, takeFlow } from "#app/_lib/playground-flow";
import { exchangeCode, revoke } from "./authorization";
import { connectionOfTab } from "./connection";

/**
 * The connection of this tab, which an answer that waits on this page becomes first. It stands apart from what is held: a page
 * of the reference asks for that alone, and would load the whole client with this.
 */
export function useConnection(baseUrl: string) {
  const connection = useSyncExternalStore(connectionOfTab.subscribe, connectionOfTab.get, () => undefined);
  const exchanged = useMutation({
    mutationFn: (flow: Flow) => exchangeCode(flow, baseUrl),
    onSuccess: (token, flow) => connectionOfTab.set({ ...flow, token }),
  });
  const ended = useMutation({ mutationFn: revoke, onSettled: () => connectionOfTab.set(undefined) });

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
