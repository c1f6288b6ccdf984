import {
  Activity,
  BadgeCheck,
  CircleAlert,
  History,
  KeyRound,
  LayoutDashboard,
  Settings,
  Ticket,
  TriangleAlert,
  Users,
  Webhook,
} from "lucide-react";
import type { ReactNode } from "react";
import { currentViewer, requireApplication } from "#app/_lib/current-user";
import { Emblem } from "#app/_parts/emblem.tsx";
import { Badge, ProvenDomainBadge, VerifiedBadge } from "#app/_ui/badge.tsx";
import { PageHeader } from "#app/_ui/page-header.tsx";
import { SideNav } from "#app/_ui/side-nav.tsx";
import { mayDo } from "#server/oauth/clients/team/rights";

/** The last value is the right that the page needs. */
const sections = [
  ["", "Overview", LayoutDashboard, "figures"],
  ["/requests", "Requests", Activity, "requests"],
  ["/failures", "Failures", CircleAlert, "figures"],
  ["/tokens", "Tokens", Ticket, "tokens"],
  ["/webhooks", "Webhooks", Webhook, "webhooks"],
  ["/settings", "Settings", Settings, "settings"],
  ["/credentials", "Credentials", KeyRound, "secrets"],
  ["/verification", "Verification", BadgeCheck, "settings"],
  ["/team", "Team", Users, "figures"],
  ["/history", "History", History, "figures"],
  ["/danger", "Danger", TriangleAlert, "ownership"],
] as const;

type Props = { params: Promise<{ clientId: string }>; children: ReactNode };

export default async function ApplicationLayout({ params, children }: Props) {
  const application = await requireApplication(await params);
  const { clientId, name, kind, verified, provenDomain, suspended, openedAt, role } = application;
  const page = `/developers/apps/${clientId}`;
  const failing = (await currentViewer())?.failingApplications.find(
    (each) => each.clientId === clientId,
  );
  const waiting: Partial<Record<string, { count: number; what: string }>> = {
    "/requests": { count: failing?.errorsJumped ? 1 : 0, what: "jump of errors within a day" },
    "/webhooks": { count: failing?.endpoints ?? 0, what: "failing" },
  };
  return (
    <div className="grid gap-6">
      <PageHeader
        title={name}
        trail={[{ label: "Applications", href: "/developers" }]}
        media={<Emblem of={application} />}
        lead={application.description || undefined}
        status={
          <>
            <Badge>{kind === "public" ? "Public" : "Server-side"}</Badge>
            {verified && <VerifiedBadge />}
            {provenDomain && <ProvenDomainBadge domain={provenDomain} />}
            {!openedAt && <Badge tone="warn">In test</Badge>}
            {suspended && <Badge tone="bad">Suspended</Badge>}
            {role !== "owner" && <Badge>You are {role}</Badge>}
          </>
        }
      />
      <SideNav
        label={name}
        items={sections
          .filter(([, , , right]) => mayDo(role, right))
          .map(([path, label, Icon]) => ({
            href: `${page}${path}`,
            label,
            icon: <Icon />,
            exact: path === "",
            waiting: waiting[path],
          }))}
      >
        {children}
      </SideNav>
    </div>
  );
}
