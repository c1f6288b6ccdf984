"use client";

import Link from "next/link";
import { usePathname } from "next/navigation";
import { type ReactNode, useEffect, useRef } from "react";

type Props = {
  href: string;
  children: ReactNode;
  className?: string;
  /** Current only on this very page, not on the pages below it. */
  exact?: boolean;
};

/** How far from the edge it comes to stand: the one before it stays in sight. Pixels. */
const nearEdge = 48;

/** A link of a navigation that knows whether one is there: it carries aria-current, and the style hangs on that. */
export function NavLink({ href, children, className, exact = false }: Props) {
  const path = usePathname();
  const current = path === href || (!exact && path.startsWith(`${href}/`));
  const link = useRef<HTMLAnchorElement>(null);

  // A navigation may be wider than the screen, or higher: the page that one is on must not stand outside of it.
  useEffect(() => {
    const nav = current ? link.current?.closest("nav") : undefined;
    if (!link.current || !nav) return;
    const [own, around] = [link.current.getBoundingClientRect(), nav.getBoundingClientRect()];
    if (nav.scrollWidth > nav.clientWidth) nav.scrollLeft += own.left - around.left - nearEdge;
    if (own.top < around.top || own.bottom > around.bottom) nav.scrollTop += own.top - around.top - nearEdge;
  }, [current]);

  return (
    <Link ref={link} href={href} prefetch={false} className={className} aria-current={current ? "page" : undefined}>
      {children}
    </Link>
  );
}

/** What stands below a link of a navigation while one is there. */
export function NavGroup({ under, children }: { under: string; children: ReactNode }) {
  const path = usePathname();
  return path === under || path.startsWith(`${under}/`) ? children : null;
}
