"use client";

import type { ReactNode } from "react";
import { classNames } from "./class-names";
import { Logo } from "./logo";
import type { NavItem } from "./nav-link";
import { SiteHeader, type Viewer } from "./site-header";
import { TextLink } from "./text-link";
import type { Theme } from "./theme";

type FooterProps = { groups: readonly { title: string; links: readonly NavItem[] }[] };

function Footer({ groups }: FooterProps) {
  return (
    <footer className="border-t border-line">
      <div className="mx-auto flex max-w-page flex-wrap justify-between gap-x-16 gap-y-8 px-4 py-10 text-sm sm:px-6">
        <div className="max-w-72 text-ink-faint">
          <Logo className="text-ink" />
          <p className="mt-3">Your game account, and the tools you allow to use it.</p>
        </div>
        <div className="flex flex-wrap gap-x-16 gap-y-8">
          {groups.map((group) => (
            <nav key={group.title} aria-label={group.title}>
              <h2 className="font-medium tracking-normal">{group.title}</h2>
              <ul className="mt-2 grid gap-1.5">
                {group.links.map((link) => (
                  <li key={link.href}>
                    <TextLink
                      href={link.href}
                      plain
                      className="rounded-tag text-ink-soft hover:text-ink hover:underline"
                    >
                      {link.label}
                    </TextLink>
                  </li>
                ))}
              </ul>
            </nav>
          ))}
        </div>
      </div>
    </footer>
  );
}

type PageShellProps = {
  viewer: Viewer | null;
  /** The page lays out its own bands. */
  bare?: boolean;
  theme: Theme;
  operatorLinks: readonly NavItem[];
  search: ReactNode;
  children: ReactNode;
};

const docs: NavItem = { href: "/docs", label: "Docs" };
const publicNav: readonly NavItem[] = [{ href: "/developers", label: "Developers" }, docs];

const viewerNav = ({ payableRequests, failingApplications }: Viewer): readonly NavItem[] => [
  { href: "/faction", label: "Faction", waiting: { count: payableRequests, what: "to pay" } },
  { href: "/players", label: "Players" },
  { href: "/stocks", label: "Stocks" },
  {
    href: "/developers",
    label: "Developers",
    waiting: { count: failingApplications.length, what: "failing" },
  },
  docs,
];

const footerGroups = [
  {
    title: "Players",
    links: [
      { href: "/account", label: "Your account" },
      { href: "/account/apps", label: "Connected apps" },
    ],
  },
  {
    title: "Developers",
    links: [
      { href: "/developers", label: "Applications" },
      { href: "/docs", label: "Documentation" },
      { href: "/api/openapi.json", label: "OpenAPI document" },
    ],
  },
];

export function PageShell({
  viewer,
  bare = false,
  theme,
  operatorLinks,
  search,
  children,
}: PageShellProps) {
  return (
    <div className="flex min-h-dvh flex-col">
      <a
        href="#main"
        className="absolute -top-16 left-4 z-40 rounded-control bg-accent px-4 py-2 font-medium text-on-accent focus:top-3"
      >
        Skip to the content
      </a>
      <SiteHeader
        viewer={viewer}
        nav={viewer ? viewerNav(viewer) : publicNav}
        theme={theme}
        search={search}
      />
      <main
        id="main"
        tabIndex={-1}
        className={classNames(
          "flex-1 outline-none",
          !bare && "mx-auto w-full max-w-page px-4 py-8 sm:px-6 sm:py-10",
        )}
      >
        {children}
      </main>
      <Footer
        groups={
          operatorLinks.length === 0
            ? footerGroups
            : [...footerGroups, { title: "This service", links: operatorLinks }]
        }
      />
    </div>
  );
}
