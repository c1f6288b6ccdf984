"use client";

import { FaultMessage } from "#app/_ui/fault-message.tsx";

/** The portal's frame remains. */
export default function PortalFault({ error, retry }: { error: unknown; retry: () => void }) {
  return <FaultMessage error={error} retry={retry} />;
}
