"use client";

import { BareShell } from "#ui/bare-shell";
import { FaultMessage } from "#ui/fault-message";

type Props = { error: unknown; retry: () => void };

export default function PageFault({ error, retry }: Props) {
  return (
    <BareShell>
      <FaultMessage error={error} retry={retry} />
    </BareShell>
  );
}
