"use client";

import Link from "next/link";
import { usePathname } from "next/navigation";
import type { ReactNode } from "react";

type Props = {
  href: string;
  children: ReactNode;
  className?: string;
  /** Current only on this very page, not on the pages below it. */
  exact?: boolean;
};

/** A link of a navigation that knows whether one is there: it carries aria-current, and the style hangs on that. */
export function NavLink({ href, children, className, exact = false }: Props) {
  const path = usePathname();
  const current = path === href || (!exact && path.startsWith(`${href}/`));
  return (
    <Link href={href} prefetch={false} className={className} aria-current={current ? "page" : undefined}>
      {children}
    </Link>
  );
}
