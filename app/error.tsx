"use client";

import { BareShell } from "./_ui/bare-shell";
import { FaultMessage } from "./_ui/fault-message";

type Props = { error: unknown; retry: () => void };

export default function PageFault({ error, retry }: Props) {
  return (
    <BareShell>
      <FaultMessage error={error} retry={retry} />
    </BareShell>
  );
}
