"use client";

import type { ReactNode } from "react";
import { CountBadge, type NavItem, NavLink, VisibleUnderPath } from "./nav-link";

type Props = {
  label: string;
  items: readonly (NavItem & {
    icon: ReactNode;
    exact?: boolean;
    /** Groups of sub-pages, shown on those pages. */
    below?: readonly { label: string; items: readonly NavItem[] }[];
  })[];
  children: ReactNode;
};

export function SideNav({ label, items, children }: Props) {
  return (
    <div className="grid gap-6 lg:grid-cols-[12.5rem_minmax(0,1fr)] lg:gap-10">
      <div className="flex min-w-0 flex-col gap-3 lg:sticky lg:top-6 lg:max-h-[calc(100dvh-3rem)] lg:self-start">
        <nav
          aria-label={label}
          className="scrolls-sideways -mx-4 shadow-[inset_0_-1px_0_var(--color-line)] px-4 sm:-mx-6 sm:px-6 lg:-mx-1 lg:min-h-0 lg:animate-none lg:overflow-x-hidden lg:overflow-y-auto lg:shadow-none lg:mask-none lg:px-1 lg:py-1 lg:[scrollbar-width:auto]"
        >
          <ul className="flex w-max gap-5 lg:w-auto lg:flex-col lg:gap-0.5">
            {items.map((item) => (
              <li key={item.href} className="flex-none">
                <NavLink
                  href={item.href}
                  exact={item.exact}
                  className="flex items-center gap-2 border-b-2 border-transparent py-2.5 text-sm text-ink-soft hover:text-ink aria-[current=page]:border-accent aria-[current=page]:font-medium aria-[current=page]:text-ink lg:rounded-control lg:border-0 lg:px-2.5 lg:py-1.5 lg:hover:bg-accent-wash lg:aria-[current=page]:bg-accent-wash [&_svg]:size-4 [&_svg]:flex-none"
                >
                  {item.icon}
                  {item.label}
                  {item.waiting && <CountBadge {...item.waiting} className="lg:ml-auto" />}
                </NavLink>
                {item.below && (
                  <VisibleUnderPath under={item.href}>
                    <div className="my-1 ml-4.5 grid gap-2 border-l border-line pl-3 max-lg:hidden">
                      {item.below.map((group) => (
                        <div key={group.label}>
                          <p className="text-xs font-medium text-ink-faint">{group.label}</p>
                          <ul>
                            {group.items.map((page) => (
                              <li key={page.href}>
                                <NavLink
                                  href={page.href}
                                  className="block rounded-tag py-0.5 text-sm text-ink-soft hover:text-ink aria-[current=page]:font-medium aria-[current=page]:text-accent-text"
                                >
                                  {page.label}
                                </NavLink>
                              </li>
                            ))}
                          </ul>
                        </div>
                      ))}
                    </div>
                  </VisibleUnderPath>
                )}
              </li>
            ))}
          </ul>
        </nav>
      </div>
      <div className="grid min-w-0 content-start gap-6">{children}</div>
    </div>
  );
}
