"use client";

import { usePathname } from "next/navigation";
import type { ReactNode } from "react";

/** What stands below a link of a navigation while one is there. */
export function NavGroup({ under, children }: { under: string; children: ReactNode }) {
  const path = usePathname();
  return path === under || path.startsWith(`${under}/`) ? children : null;
}
