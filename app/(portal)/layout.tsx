import type { ReactNode } from "react";
import { SiteFrame } from "#app/_parts/page-frames.tsx";

/** Each page checks the session, because a layout does not know its page. */
export default function PortalLayout({ children }: { children: ReactNode }) {
  return <SiteFrame>{children}</SiteFrame>;
}
