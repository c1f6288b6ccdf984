"use client";

import Link from "next/link";
import { usePathname } from "next/navigation";
import { type ReactNode, useEffect, useRef } from "react";
import { classNames } from "./class-names";

type NavLinkProps = {
  href: string;
  children: ReactNode;
  className?: string;
  /** Current only on this very page, not on the pages below it. */
  exact?: boolean;
};

/** How far from the edge it comes to stand: the one before it stays in sight. Pixels. */
const nearEdge = 48;

/** A link of a navigation. Of the current page it carries aria-current, on which the style hangs. */
export function NavLink({ href, children, className, exact = false }: NavLinkProps) {
  const path = usePathname();
  const current = path === href || (!exact && path.startsWith(`${href}/`));
  const link = useRef<HTMLAnchorElement>(null);

  // A navigation may be wider than the screen, or higher: the page that one is on must not stand outside of it.
  useEffect(() => {
    const nav = current ? link.current?.closest("nav") : undefined;
    if (!link.current || !nav) return;
    const [own, around] = [link.current.getBoundingClientRect(), nav.getBoundingClientRect()];
    if (nav.scrollWidth > nav.clientWidth) nav.scrollLeft += own.left - around.left - nearEdge;
    if (own.top < around.top || own.bottom > around.bottom)
      nav.scrollTop += own.top - around.top - nearEdge;
  }, [current]);

  return (
    <Link
      ref={link}
      href={href}
      prefetch={false}
      className={className}
      aria-current={current ? "page" : undefined}
    >
      {children}
    </Link>
  );
}

/** The links below a link of a navigation, shown while one is on one of those pages. */
export function NavGroup({ under, children }: { under: string; children: ReactNode }) {
  const path = usePathname();
  return path === under || path.startsWith(`${under}/`) ? children : null;
}

type WaitingProps = {
  count: number;
  /** What waits: "unread", "waiting". */
  what: string;
  className?: string;
};

const mostWaitingShown = 99;

/** How many things wait behind a link. Nothing where none does. */
export function Waiting({ count, what, className }: WaitingProps) {
  if (count === 0) return null;
  return (
    <span
      className={classNames(
        "tabular grid h-5 min-w-5 place-items-center rounded-full bg-accent px-1 text-xs font-medium text-on-accent",
        className,
      )}
    >
      {count > mostWaitingShown ? `${mostWaitingShown}+` : count}
      <span className="sr-only"> {what}</span>
    </span>
  );
}
