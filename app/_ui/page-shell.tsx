import type { ReactNode } from "react";
import { classNames } from "./class-names";
import { Footer } from "./footer";
import { type NavItem, SiteHeader, type Viewer } from "./site-header";

type Props = {
  viewer: Viewer | null;
  nav?: readonly NavItem[];
  /** "page": the full measure; "narrow": one form or one decision, centred; "bare": the page lays out its own bands. */
  width?: "page" | "narrow" | "bare";
  signInHref?: string;
  children: ReactNode;
};

const publicNav: readonly NavItem[] = [
  { href: "/developers", label: "Developers" },
  { href: "/docs", label: "Docs" },
];

const viewerNav: readonly NavItem[] = [
  { href: "/faction", label: "Faction" },
  { href: "/account/apps", label: "Connected apps" },
  ...publicNav,
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
      { href: "/developers", label: "Your applications" },
      { href: "/docs", label: "Documentation" },
      { href: "/api/openapi.json", label: "OpenAPI document" },
    ],
  },
];

const widths = {
  page: "mx-auto w-full max-w-page px-4 py-8 sm:px-6 sm:py-10",
  narrow: "mx-auto w-full max-w-120 px-4 py-8 sm:py-14",
  bare: "",
} as const;

/** What every page stands in: a way past the header, the header, one main, the footer. */
export function PageShell({ viewer, nav, width = "page", signInHref, children }: Props) {
  return (
    <div className="flex min-h-dvh flex-col">
      <a
        href="#main"
        className="absolute -top-16 left-4 z-40 rounded-control bg-accent px-4 py-2 font-medium text-on-accent focus:top-3"
      >
        Skip to the content
      </a>
      <SiteHeader viewer={viewer} nav={nav ?? (viewer ? viewerNav : publicNav)} signInHref={signInHref} />
      <main id="main" tabIndex={-1} className={classNames("flex-1 outline-none", widths[width])}>
        {children}
      </main>
      <Footer groups={footerGroups} note="Your game account, and the tools you allow to use it." />
    </div>
  );
}
