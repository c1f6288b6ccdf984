"use client";

import { FaultMessage } from "./_ui/fault-message";
import { BareShell } from "./_ui/page-shell";

type Props = { error: unknown; retry: () => void };

export default function PageFault({ error, retry }: Props) {
  return (
    <BareShell>
      <FaultMessage error={error} retry={retry} />
    </BareShell>
  );
}
