"use client";

import { Connect } from "#app/_parts/playground/connect.tsx";
import { Connecting } from "#app/_parts/playground/connecting.tsx";
import { useConnection } from "#app/_parts/playground/use-connection";
import { Alert } from "#app/_ui/alert.tsx";
import { Connected } from "./connected";

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
