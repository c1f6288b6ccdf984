import {
  BookOpen,
  CircleAlert,
  Gauge,
  GitBranch,
  History,
  KeySquare,
  Landmark,
  ListChecks,
  Radio,
  Route,
  Sigma,
  Webhook,
} from "lucide-react";
import type { ReactNode } from "react";
import { SiteFrame } from "#app/_parts/site-frame.tsx";
import { SideNav } from "#app/_ui/side-nav.tsx";
import { routes, tags } from "#server/routes";
import { referencePath } from "./_parts/describe-endpoint";
import { guides } from "./_parts/guides";

const endpoints = tags.map(({ name }) => ({
  label: name,
  items: routes
    .filter(({ tag }) => tag === name)
    .map((each) => ({ href: referencePath(each), label: each.title })),
}));

const items = [
  {
    href: "/docs",
    label: guides["/docs"].title,
    icon: <BookOpen aria-hidden="true" />,
    exact: true,
  },
  {
    href: "/docs/oauth",
    label: guides["/docs/oauth"].title,
    icon: <KeySquare aria-hidden="true" />,
  },
  {
    href: "/docs/scopes",
    label: guides["/docs/scopes"].title,
    icon: <ListChecks aria-hidden="true" />,
  },
  { href: "/docs/limits", label: guides["/docs/limits"].title, icon: <Gauge aria-hidden="true" /> },
  {
    href: "/docs/versioning",
    label: guides["/docs/versioning"].title,
    icon: <GitBranch aria-hidden="true" />,
  },
  {
    href: "/docs/api",
    label: guides["/docs/api"].title,
    icon: <Route aria-hidden="true" />,
    below: endpoints,
  },
  { href: "/docs/events", label: guides["/docs/events"].title, icon: <Radio aria-hidden="true" /> },
  {
    href: "/docs/webhooks",
    label: guides["/docs/webhooks"].title,
    icon: <Webhook aria-hidden="true" />,
  },
  {
    href: "/docs/errors",
    label: guides["/docs/errors"].title,
    icon: <CircleAlert aria-hidden="true" />,
  },
  {
    href: "/docs/estimates",
    label: guides["/docs/estimates"].title,
    icon: <Sigma aria-hidden="true" />,
  },
  {
    href: "/docs/factions",
    label: guides["/docs/factions"].title,
    icon: <Landmark aria-hidden="true" />,
  },
  {
    href: "/docs/changelog",
    label: guides["/docs/changelog"].title,
    icon: <History aria-hidden="true" />,
  },
];

export default function DocsLayout({ children }: { children: ReactNode }) {
  return (
    <SiteFrame>
      <SideNav label="Documentation" items={items}>
        {children}
      </SideNav>
    </SiteFrame>
  );
}
