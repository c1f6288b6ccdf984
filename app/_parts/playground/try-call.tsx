"use client";

import { Suspense } from "react";
import { TrpcProvider } from "#app/_lib/trpc";
import { Status } from "#app/_ui/badge.tsx";
import { Button } from "#app/_ui/button.tsx";
import { Card } from "#app/_ui/card.tsx";
import { Skeleton } from "#app/_ui/progress.tsx";
import { type CallableEndpoint, holdsScope } from "./call-endpoint";
import { CallForm } from "./call-form";
import { WithConnection } from "./connect";

interface Props {
  readonly endpoint: CallableEndpoint;
  readonly baseUrl: string;
  /** Page and fragment that the consent returns to. */
  readonly page: string;
  readonly clientId: string | undefined;
}

export function TryCall({ endpoint, baseUrl, page, clientId }: Props) {
  return (
    <TrpcProvider>
      <Suspense fallback={<Skeleton className="h-60 w-full" />}>
        <WithConnection
          baseUrl={baseUrl}
          wanted={clientId}
          page={page}
          firstScopes={endpoint.scopes}
        >
          {({ token, ending, end }) => {
            const granted = token.scope.split(" ");
            const missing = endpoint.scopes.filter((scope) => !holdsScope(scope, granted));
            const isEnough = missing.length === 0;
            return (
              <Card
                title={<Status tone="good">Connected</Status>}
                description={
                  isEnough
                    ? undefined
                    : `The token lacks ${missing.join(" ")}, which this call needs. Connect again to ask for it.`
                }
                actions={
                  <Button size="sm" busy={ending} onClick={end}>
                    {isEnough ? "Revoke the token" : "Connect again"}
                  </Button>
                }
              >
                <CallForm endpoint={endpoint} token={token} />
              </Card>
            );
          }}
        </WithConnection>
      </Suspense>
    </TrpcProvider>
  );
}
