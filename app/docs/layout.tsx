import {
  BookOpen,
  CircleAlert,
  Gauge,
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

const items = [
  { href: "/docs", label: "First steps", icon: <BookOpen aria-hidden="true" />, exact: true },
  { href: "/docs/oauth", label: "OAuth", icon: <KeySquare aria-hidden="true" /> },
  { href: "/docs/scopes", label: "Scopes", icon: <ListChecks aria-hidden="true" /> },
  { href: "/docs/limits", label: "Limits", icon: <Gauge aria-hidden="true" /> },
  { href: "/docs/api", label: "Endpoints", icon: <Route aria-hidden="true" /> },
  { href: "/docs/events", label: "Events", icon: <Radio aria-hidden="true" /> },
  { href: "/docs/webhooks", label: "Webhooks", icon: <Webhook aria-hidden="true" /> },
  { href: "/docs/errors", label: "Errors", icon: <CircleAlert aria-hidden="true" /> },
  { href: "/docs/estimates", label: "Stat estimates", icon: <Sigma aria-hidden="true" /> },
  { href: "/docs/factions", label: "For factions", icon: <Landmark aria-hidden="true" /> },
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
