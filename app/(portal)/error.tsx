"use client";

import { FaultMessage } from "#app/_ui/fault-message.tsx";

type Props = { error: unknown; retry: () => void };

/** A page of the portal that failed: the frame around it stays. */
export default function PortalFault({ error, retry }: Props) {
  return <FaultMessage error={error} retry={retry} />;
}
