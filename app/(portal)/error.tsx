"use client";

import { FaultMessage } from "#app/_ui/fault-message.tsx";

export default function PortalFault({ error, retry }: { error: unknown; retry: () => void }) {
  return <FaultMessage error={error} retry={retry} />;
}
