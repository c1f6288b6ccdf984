import { useMutation } from "@tanstack/react-query";
import { type ComponentProps, type ReactNode, useEffect, useSyncExternalStore } from "react";
import { Alert } from "#app/_ui/alert.tsx";
import { Card } from "#app/_ui/card.tsx";
import { Skeleton } from "#app/_ui/progress.tsx";
import { exchangeCode, revoke } from "./authorization";
import { ConnectApplication } from "./connect";
import { type Connection, connectionOfTab, type Flow, takeFlow } from "./flow";

type Props = ComponentProps<typeof ConnectApplication> & {
  children: (connected: Connection & { ending: boolean; end: () => void }) => ReactNode;
};

/** Takes a waiting answer, else asks the reader to connect. */
export function WithConnection({ children, ...connect }: Props) {
  const connection = useSyncExternalStore(
    connectionOfTab.subscribe,
    connectionOfTab.get,
    () => undefined,
  );
  const exchanged = useMutation({
    mutationFn: (flow: Flow) => exchangeCode(flow, connect.baseUrl),
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

  if (exchanged.isPending)
    return (
      <Card title="Connecting">
        <div className="grid gap-3" role="status" aria-label="Exchanging the code">
          <Skeleton className="h-5 w-60" />
          <Skeleton className="h-24 w-full" />
        </div>
      </Card>
    );
  if (connection)
    return children({
      ...connection,
      ending: ended.isPending,
      end: () => ended.mutate(connection.token),
    });
  return (
    <>
      {exchanged.error && (
        <Alert tone="bad" title="No token was issued" live>
          {exchanged.error.message}
        </Alert>
      )}
      <ConnectApplication {...connect} />
    </>
  );
}
