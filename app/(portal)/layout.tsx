import type { ReactNode } from "react";
import { SiteFrame } from "#app/_parts/site-frame.tsx";

/** The signed-in part of the portal. Each page asks for the sign-in itself: a layout does not know which page it holds. */
export default function PortalLayout({ children }: { children: ReactNode }) {
  return <SiteFrame>{children}</SiteFrame>;
}
