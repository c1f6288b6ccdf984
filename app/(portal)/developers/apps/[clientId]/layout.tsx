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
import { Badge } from "#app/_ui/badge.tsx";
import { PageHeader } from "#app/_ui/page-header.tsx";
import { SideNav } from "#app/_ui/side-nav.tsx";
import { type ApplicationRight, mayDo } from "#server/oauth/clients/team/rights";

type Props = { params: Promise<{ clientId: string }>; children: ReactNode };

export default async function ApplicationLayout({ params, children }: Props) {
  const application = await ownApplication((await params).clientId);
  const { clientId, name, kind, verified, suspended, openedAt, role } = application;
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
            {verified && (
              <Badge tone="good" icon={<BadgeCheck aria-hidden="true" />}>
                Verified
              </Badge>
            )}
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
            icon: <LayoutDashboard aria-hidden="true" />,
            exact: true,
            right: "figures",
          },
          {
            href: `${page}/requests`,
            label: "Requests",
            icon: <Activity aria-hidden="true" />,
            waiting: jump,
            right: "requests",
          },
          {
            href: `${page}/failures`,
            label: "Failures",
            icon: <CircleAlert aria-hidden="true" />,
            right: "figures",
          },
          {
            href: `${page}/tokens`,
            label: "Tokens",
            icon: <Ticket aria-hidden="true" />,
            right: "tokens",
          },
          {
            href: `${page}/webhooks`,
            label: "Webhooks",
            icon: <Webhook aria-hidden="true" />,
            waiting: { count: failing?.endpoints ?? 0, what: "failing" },
            right: "webhooks",
          },
          {
            href: `${page}/settings`,
            label: "Settings",
            icon: <Settings aria-hidden="true" />,
            right: "settings",
          },
          {
            href: `${page}/credentials`,
            label: "Credentials",
            icon: <KeyRound aria-hidden="true" />,
            right: "secrets",
          },
          {
            href: `${page}/team`,
            label: "Team",
            icon: <Users aria-hidden="true" />,
            right: "figures",
          },
          {
            href: `${page}/history`,
            label: "History",
            icon: <History aria-hidden="true" />,
            right: "figures",
          },
          {
            href: `${page}/danger`,
            label: "Danger",
            icon: <TriangleAlert aria-hidden="true" />,
            right: "ownership",
          },
        ].filter(({ right }) => mayDo(role, right as ApplicationRight))}
      >
        {children}
      </SideNav>
    </div>
  );
}
