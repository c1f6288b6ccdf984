"use client";

import { ChevronDown, LogOut, Menu } from "lucide-react";
import { usePathname } from "next/navigation";
import { type ReactNode, useEffect, useRef } from "react";
import { Avatar } from "./avatar";
import { buttonStyle, classNames } from "./class-names";
import { Logo } from "./logo";
import { type NavItem, NavLink, Waiting } from "./nav-link";
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

export type Viewer = {
  name: string;
  playerId: number;
  factionName: string | null;
  /** Vault requests that the viewer can pay. */
  payableRequests: number;
  failingApplications: readonly { clientId: string; errorsJumped: boolean; endpoints: number }[];
  links: readonly NavItem[];
  /** Fields of the form: the CSRF token. */
  signOut: Readonly<Record<string, string>>;
};

type Props = {
  nav: readonly NavItem[];
  /** Null without a session. */
  viewer: Viewer | null;
  theme: Theme;
  search: ReactNode;
};

const panel =
  "absolute right-0 z-30 mt-2 w-64 max-w-[calc(100vw-2rem)] rounded-card bg-raised p-1.5 shadow-float motion-safe:animate-[arrive_140ms_var(--ease-out)]";
const entry =
  "flex w-full items-center gap-2 rounded-control px-2.5 py-1.5 text-left text-sm text-ink-soft hover:bg-accent-wash hover:text-ink aria-[current=page]:font-medium aria-[current=page]:text-ink pointer-coarse:py-2.5";

/** Menus are details elements and work without script. */
function SiteHeader({ nav, viewer, theme, search }: Props) {
  // With a session there are more links, a name and counts, which need a wider screen.
  const [inRow, inMenu] = viewer
    ? ["hidden lg:block", "relative lg:hidden"]
    : ["hidden md:block", "relative md:hidden"];
  return (
    <header className="border-b border-line bg-surface">
      <div className="mx-auto flex h-14 max-w-page items-center gap-3 px-4 lg:gap-6 sm:px-6">
        <TextLink href="/" plain className="flex rounded-control text-md">
          <Logo />
        </TextLink>
        <nav aria-label="Main" className={inRow}>
          <ul className="flex items-center gap-1">
            {nav.map((item) => (
              <li key={item.href}>
                <NavLink
                  href={item.href}
                  className="flex items-center gap-1.5 rounded-control px-2.5 py-1.5 text-sm text-ink-soft hover:bg-accent-wash hover:text-ink aria-[current=page]:font-medium aria-[current=page]:text-ink"
                >
                  {item.label}
                  {item.waiting && <Waiting {...item.waiting} />}
                </NavLink>
              </li>
            ))}
          </ul>
        </nav>
        <div className="ml-auto flex items-center gap-1 sm:gap-3">
          {search}
          <div className={inRow}>
            <ThemeSwitch initial={theme} />
          </div>
          {viewer ? (
            <ViewerMenu viewer={viewer} />
          ) : (
            <TextLink href="/sign-in" plain className={buttonStyle({ size: "sm" })}>
              Sign in
            </TextLink>
          )}
          <DisclosureMenu
            className={inMenu}
            summary={
              <>
                <span className="sr-only">Menu</span>
                <Menu className="size-5" />
                <Waiting
                  count={nav.reduce((sum, { waiting }) => sum + (waiting?.count ?? 0), 0)}
                  what="waiting"
                  className="absolute -top-1.5 -right-2"
                />
              </>
            }
            summaryClassName="relative grid size-9 place-items-center rounded-control text-ink-soft hover:bg-accent-wash pointer-coarse:size-11"
          >
            <div className={panel}>
              <nav aria-label="Main">
                {nav.map((item) => (
                  <NavLink key={item.href} href={item.href} className={entry}>
                    {item.label}
                    {item.waiting && <Waiting {...item.waiting} className="ml-auto" />}
                  </NavLink>
                ))}
              </nav>
              <div className="mt-1.5 flex items-center justify-between border-t border-line px-2.5 pt-2.5 pb-1 text-sm text-ink-faint">
                Theme
                <ThemeSwitch initial={theme} />
              </div>
            </div>
          </DisclosureMenu>
        </div>
      </div>
    </header>
  );
}

function ViewerMenu({ viewer }: { viewer: Viewer }) {
  const unread = viewer.links.reduce((sum, { waiting }) => sum + (waiting?.count ?? 0), 0);
  return (
    <DisclosureMenu
      className="relative"
      summary={
        <>
          <Avatar name={viewer.name} size="sm" />
          <span className="max-w-40 truncate text-sm font-medium max-sm:sr-only">
            <span className="sr-only">Signed in as </span>
            {viewer.name}
          </span>
          <Waiting count={unread} what="unread" />
          <ChevronDown
            className={classNames("size-3.5 text-ink-faint", unread > 0 && "max-sm:hidden")}
          />
        </>
      }
      summaryClassName="relative flex min-h-9 items-center gap-2 rounded-full border border-line bg-surface py-1 pr-2.5 pl-1.5 hover:border-line-control pointer-coarse:min-h-11"
    >
      <div className={panel}>
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
              {link.waiting && <Waiting {...link.waiting} className="ml-auto" />}
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
    </DisclosureMenu>
  );
}

type DisclosureMenuProps = {
  summary: ReactNode;
  children: ReactNode;
  className?: string;
  summaryClassName?: string;
};

/**
 * A details element, which works without script. Script adds closing on Escape, outside click,
 * focus loss and navigation. Content: links and forms.
 */
function DisclosureMenu({ summary, children, className, summaryClassName }: DisclosureMenuProps) {
  const details = useRef<HTMLDetailsElement>(null);
  const path = usePathname();

  // biome-ignore lint/correctness/useExhaustiveDependencies: the path is what the effect waits for, though it does not read it.
  useEffect(() => {
    details.current?.removeAttribute("open");
  }, [path]);

  useEffect(() => {
    const element = details.current;
    if (!element) return;
    const close = () => element.removeAttribute("open");
    const leave = (event: Event) => {
      if (event.target instanceof Node && !element.contains(event.target)) close();
    };
    const closeOnEscape = (event: KeyboardEvent) => {
      if (event.key !== "Escape" || !element.open) return;
      close();
      element.querySelector("summary")?.focus();
    };
    document.addEventListener("pointerdown", leave);
    document.addEventListener("focusin", leave);
    element.addEventListener("keydown", closeOnEscape);
    return () => {
      document.removeEventListener("pointerdown", leave);
      document.removeEventListener("focusin", leave);
      element.removeEventListener("keydown", closeOnEscape);
    };
  }, []);

  return (
    <details ref={details} className={className}>
      <summary className={summaryClassName}>{summary}</summary>
      {children}
    </details>
  );
}
