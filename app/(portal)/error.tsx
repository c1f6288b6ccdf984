"use client";

import { FaultMessage } from "#app/_ui/fault-message.tsx";

type Props = { error: unknown; retry: () => void };

/** The portal's frame remains. */
export default function PortalFault({ error, retry }: Props) {
  return <FaultMessage error={error} retry={retry} />;
}
