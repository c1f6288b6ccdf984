import {
  BellRing,
  BookOpen,
  CircleAlert,
  Database,
  Gauge,
  GitBranch,
  History,
  KeySquare,
  Landmark,
  ListChecks,
  type LucideIcon,
  Radio,
  Route,
  Sigma,
  Users,
  Webhook,
} from "lucide-react";
import type { ReactNode } from "react";
import { SiteFrame } from "#app/_parts/page-frames.tsx";
import { SideNav } from "#app/_ui/side-nav.tsx";
import { routes, tags } from "#server/routes";
import { referencePath } from "./_parts/describe-endpoint";
import { type GuideName, guideNames, guidePath, guideTitle } from "./_parts/guides";

const endpoints = tags.map(({ name }) => ({
  label: name,
  items: routes
    .filter(({ tag }) => tag === name)
    .map((each) => ({ href: referencePath(each), label: each.title })),
}));

const icons: Readonly<Record<GuideName, LucideIcon>> = {
  "": BookOpen,
  oauth: KeySquare,
  scopes: ListChecks,
  teams: Users,
  limits: Gauge,
  versioning: GitBranch,
  api: Route,
  events: Radio,
  webhooks: Webhook,
  notifications: BellRing,
  errors: CircleAlert,
  estimates: Sigma,
  factions: Landmark,
  data: Database,
  changelog: History,
};

const items = guideNames.map((name) => {
  const Icon = icons[name];
  return {
    href: guidePath(name),
    label: guideTitle(name),
    icon: <Icon />,
    exact: name === "",
    ...(name === "api" && { below: endpoints }),
  };
});

export default function DocsLayout({ children }: { children: ReactNode }) {
  return (
    <SiteFrame>
      <SideNav label="Documentation" items={items}>
        {children}
      </SideNav>
    </SiteFrame>
  );
}
