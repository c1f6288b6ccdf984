"use client";

import { ChevronDown, LogOut, Menu } from "lucide-react";
import { usePathname } from "next/navigation";
import { type ReactNode, useEffect, useRef } from "react";
import { Avatar } from "./avatar";
import { buttonStyle, classNames } from "./class-names";
import { Logo } from "./logo";
import { CountBadge, type NavItem, NavLink } from "./nav-link";
import { PostForm } from "./post-form";
import { TextLink } from "./text-link";
import type { Theme } from "./theme";
import { ThemeSwitch } from "./theme-switch";

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
  /** True if the page lays out its own bands. */
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

export type Viewer = {
  name: string;
  playerId: number;
  factionName: string | null;
  /** Vault requests that the viewer can pay. */
  payableRequests: number;
  failingApplications: readonly { clientId: string; errorsJumped: boolean; endpoints: number }[];
  links: readonly NavItem[];
  /** Hidden fields of the sign-out form: the CSRF token. */
  signOut: Readonly<Record<string, string>>;
};

type Props = {
  nav: readonly NavItem[];
  /** Null without a session. */
  viewer: Viewer | null;
  theme: Theme;
  search: ReactNode;
};

/** Below the header, at the right edge of the page. */
const panel =
  "absolute inset-auto top-13 right-[max(1rem,(100vw-var(--container-page))/2+1.5rem)] w-64 max-w-[calc(100vw-2rem)] rounded-card bg-raised p-1.5 text-ink shadow-float motion-safe:animate-[arrive_140ms_var(--ease-out)]";
const entry =
  "flex w-full items-center gap-2 rounded-control px-2.5 py-1.5 text-left text-sm text-ink-soft hover:bg-accent-wash hover:text-ink aria-[current=page]:font-medium aria-[current=page]:text-ink pointer-coarse:py-2.5";

/** Menus are popovers, which work without script. The main menu is a row on a wide screen. */
function SiteHeader({ nav, viewer, theme, search }: Props) {
  const header = useRef<HTMLElement>(null);
  const path = usePathname();
  // biome-ignore lint/correctness/useExhaustiveDependencies: a followed link closes its menu.
  useEffect(() => {
    for (const menu of header.current?.querySelectorAll<HTMLElement>("[popover]") ?? [])
      menu.hidePopover?.();
  }, [path]);
  // With a session there are more links, a name and counts, which need a wider screen.
  const wide = viewer
    ? { menu: "lg:contents", list: "lg:flex lg:gap-1", end: "max-lg:ml-auto", hidden: "lg:hidden" }
    : { menu: "md:contents", list: "md:flex md:gap-1", end: "max-md:ml-auto", hidden: "md:hidden" };
  return (
    <header ref={header} className="border-b border-line bg-surface">
      <div className="mx-auto flex h-14 max-w-page items-center gap-3 px-4 lg:gap-6 sm:px-6">
        <TextLink href="/" plain className="flex rounded-control text-md">
          <Logo />
        </TextLink>
        <div id="main-menu" popover="auto" className={classNames(panel, wide.menu)}>
          <nav aria-label="Main">
            <ul className={wide.list}>
              {nav.map((item) => (
                <li key={item.href}>
                  <NavLink href={item.href} className={entry}>
                    {item.label}
                    {item.waiting && <CountBadge {...item.waiting} className="ml-auto" />}
                  </NavLink>
                </li>
              ))}
            </ul>
          </nav>
          <div className="ml-auto flex items-center justify-between py-1.5 text-sm text-ink-faint">
            <span className={classNames("needs-script px-2.5", wide.hidden)}>Theme</span>
            <ThemeSwitch initial={theme} />
          </div>
        </div>
        <div className={classNames("flex items-center gap-1 sm:gap-3", wide.end)}>
          {search}
          {viewer ? (
            <ViewerMenu viewer={viewer} />
          ) : (
            <TextLink href="/sign-in" plain className={buttonStyle({ size: "sm" })}>
              Sign in
            </TextLink>
          )}
          <button
            type="button"
            popoverTarget="main-menu"
            className={classNames(
              "relative grid size-9 place-items-center rounded-control text-ink-soft hover:bg-accent-wash pointer-coarse:size-11",
              wide.hidden,
            )}
          >
            <span className="sr-only">Menu</span>
            <Menu className="size-5" />
            <CountBadge
              count={nav.reduce((sum, { waiting }) => sum + (waiting?.count ?? 0), 0)}
              what="waiting"
              className="absolute -top-1.5 -right-2"
            />
          </button>
        </div>
      </div>
    </header>
  );
}

function ViewerMenu({ viewer }: { viewer: Viewer }) {
  const unread = viewer.links.reduce((sum, { waiting }) => sum + (waiting?.count ?? 0), 0);
  return (
    <>
      <button
        type="button"
        popoverTarget="viewer-menu"
        className="relative flex min-h-9 items-center gap-2 rounded-full border border-line bg-surface py-1 pr-2.5 pl-1.5 hover:border-line-control pointer-coarse:min-h-11"
      >
        <Avatar name={viewer.name} size="sm" />
        <span className="max-w-40 truncate text-sm font-medium max-sm:sr-only">
          <span className="sr-only">Signed in as </span>
          {viewer.name}
        </span>
        <CountBadge count={unread} what="unread" />
        <ChevronDown
          className={classNames("size-3.5 text-ink-faint", unread > 0 && "max-sm:hidden")}
        />
      </button>
      <div id="viewer-menu" popover="auto" className={panel}>
        <div className="border-b border-line px-2.5 pt-1 pb-2.5">
          <div className="truncate font-medium">
            {viewer.name}{" "}
            <span className="tabular font-normal text-ink-faint">[{viewer.playerId}]</span>
          </div>
          {viewer.factionName && (
            <div className="truncate text-sm text-ink-faint">{viewer.factionName}</div>
          )}
        </div>
        <nav aria-label="Account" className="py-1.5">
          {viewer.links.map((link) => (
            <NavLink key={link.href} href={link.href} exact className={entry}>
              {link.label}
              {link.waiting && <CountBadge {...link.waiting} className="ml-auto" />}
            </NavLink>
          ))}
        </nav>
        <PostForm
          action="/sign-out"
          fields={viewer.signOut}
          className="border-t border-line pt-1.5"
        >
          <button type="submit" className={entry}>
            <LogOut className="size-4" />
            Sign out
          </button>
        </PostForm>
      </div>
    </>
  );
}
