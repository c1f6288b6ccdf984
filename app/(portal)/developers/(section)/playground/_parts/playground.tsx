"use client";

import { lazy, Suspense } from "react";
import type { CallableEndpoint } from "#app/_parts/playground/call-endpoint";
import { WithConnection } from "#app/_parts/playground/connect.tsx";
import { Skeleton } from "#app/_ui/progress.tsx";

/** The script is loaded only when there is a token. */
const ConnectedPlayground = lazy(async () => ({
  default: (await import("./connected")).ConnectedPlayground,
}));

type Props = {
  baseUrl: string;
  wanted: string | undefined;
  endpoints: readonly CallableEndpoint[];
};

export const Playground = ({ baseUrl, wanted, endpoints }: Props) => (
  <WithConnection
    baseUrl={baseUrl}
    wanted={wanted}
    page="/developers/playground"
    firstScopes={["identity"]}
  >
    {(connected) => (
      <Suspense fallback={<Skeleton className="h-60 w-full" />}>
        <ConnectedPlayground endpoints={endpoints} {...connected} />
      </Suspense>
    )}
  </WithConnection>
);
