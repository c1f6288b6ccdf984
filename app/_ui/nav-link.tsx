"use client";

import Link from "next/link";
import { usePathname } from "next/navigation";
import { type ReactNode, useEffect, useRef } from "react";
import { classNames } from "./class-names";

export type NavItem = {
  href: string;
  label: string;
  /** A count and its noun: "unread". */
  waiting?: { count: number; what: string };
};

type NavLinkProps = {
  href: string;
  children: ReactNode;
  className?: string;
  /** True marks the link as current on its page only, not on pages below. */
  exact?: boolean;
};

/** Pixels of the neighbour that stay visible. */
const nearEdge = 48;

export function NavLink({ href, children, className, exact = false }: NavLinkProps) {
  const path = usePathname();
  const current = path === href || (!exact && path.startsWith(`${href}/`));
  const link = useRef<HTMLAnchorElement>(null);

  // Scrolls an overflowing navigation just enough to show the current link.
  useEffect(() => {
    const nav = current ? link.current?.closest("nav") : undefined;
    if (!link.current || !nav) return;
    const [own, around] = [link.current.getBoundingClientRect(), nav.getBoundingClientRect()];
    nav.scrollLeft += outside(own.left, own.right, around.left, around.right);
    nav.scrollTop += outside(own.top, own.bottom, around.top, around.bottom);
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

function outside(start: number, end: number, from: number, to: number): number {
  if (start < from) return start - from - nearEdge;
  return end > to ? end - to + nearEdge : 0;
}

export function VisibleUnderPath({ under, children }: { under: string; children: ReactNode }) {
  const path = usePathname();
  return path === under || path.startsWith(`${under}/`) ? children : null;
}

type WaitingProps = NonNullable<NavItem["waiting"]> & { className?: string };

const mostWaitingShown = 99;

export function CountBadge({ count, what, className }: WaitingProps) {
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
