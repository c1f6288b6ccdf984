import { useMutation } from "@tanstack/react-query";
import { useEffect, useSyncExternalStore } from "react";
import { type Flow, takeFlow } from "#app/_lib/playground-flow";
import { exchangeCode, type PlaygroundToken, revoke } from "./authorization";

/** A live token, and the request and answer that led to it. */
export interface Connection extends Flow {
  readonly token: PlaygroundToken;
}

function createHolder<Held>() {
  let current: Held | undefined;
  const listeners = new Set<() => void>();
  return {
    get: () => current,
    set(held: Held | undefined): void {
      current = held;
      for (const changed of listeners) changed();
    },
    subscribe(changed: () => void): () => void {
      listeners.add(changed);
      return () => listeners.delete(changed);
    },
  };
}

/** Kept in the tab's memory alone: pages that one goes to by links share it, a reload forgets it. On the server nobody sets it. */
export const connectionOfTab = createHolder<Connection>();

/** The connection of this tab, which an answer that waits on this page becomes first. */
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
