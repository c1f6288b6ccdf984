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
import { currentViewer, ownApplication } from "#app/_lib/current-user";
import { Emblem } from "#app/_parts/emblem.tsx";
import { Badge, ProvenDomain, Verified } from "#app/_ui/badge.tsx";
import { PageHeader } from "#app/_ui/page-header.tsx";
import { SideNav } from "#app/_ui/side-nav.tsx";
import { type ApplicationRight, mayDo } from "#server/oauth/clients/team/rights";

type Props = { params: Promise<{ clientId: string }>; children: ReactNode };

export default async function ApplicationLayout({ params, children }: Props) {
  const application = await ownApplication((await params).clientId);
  const { clientId, name, kind, verified, provenDomain, suspended, openedAt, role } = application;
  const page = `/developers/apps/${clientId}`;
  const failing = (await currentViewer())?.failingApplications.find(
    (each) => each.clientId === clientId,
  );
  const jump = { count: failing?.errorsJumped ? 1 : 0, what: "jump of errors within a day" };
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
            {verified && <Verified />}
            {provenDomain && <ProvenDomain domain={provenDomain} />}
            {!openedAt && <Badge tone="warn">In test</Badge>}
            {suspended && <Badge tone="bad">Suspended</Badge>}
            {role !== "owner" && <Badge>You are {role}</Badge>}
          </>
        }
      />
      <SideNav
        label={name}
        items={[
          {
            href: page,
            label: "Overview",
            icon: <LayoutDashboard />,
            exact: true,
            right: "figures",
          },
          {
            href: `${page}/requests`,
            label: "Requests",
            icon: <Activity />,
            waiting: jump,
            right: "requests",
          },
          { href: `${page}/failures`, label: "Failures", icon: <CircleAlert />, right: "figures" },
          { href: `${page}/tokens`, label: "Tokens", icon: <Ticket />, right: "tokens" },
          {
            href: `${page}/webhooks`,
            label: "Webhooks",
            icon: <Webhook />,
            waiting: { count: failing?.endpoints ?? 0, what: "failing" },
            right: "webhooks",
          },
          { href: `${page}/settings`, label: "Settings", icon: <Settings />, right: "settings" },
          {
            href: `${page}/credentials`,
            label: "Credentials",
            icon: <KeyRound />,
            right: "secrets",
          },
          {
            href: `${page}/verification`,
            label: "Verification",
            icon: <BadgeCheck />,
            right: "settings",
          },
          { href: `${page}/team`, label: "Team", icon: <Users />, right: "figures" },
          { href: `${page}/history`, label: "History", icon: <History />, right: "figures" },
          { href: `${page}/danger`, label: "Danger", icon: <TriangleAlert />, right: "ownership" },
        ].filter(({ right }) => mayDo(role, right as ApplicationRight))}
      >
        {children}
      </SideNav>
    </div>
  );
}
