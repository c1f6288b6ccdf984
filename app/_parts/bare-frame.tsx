import type { ReactNode } from "react";
import { operatorLinks } from "#app/_lib/settings";
import { BareShell } from "#app/_ui/bare-shell.tsx";

/** The frame of a page with one thing to do, with the operator's pages at its foot. */
export function BareFrame({ width, children }: { width?: "narrow" | "wide"; children: ReactNode }) {
  return (
    <BareShell width={width} operatorLinks={operatorLinks()}>
      {children}
    </BareShell>
  );
}
