import { Activity, Boxes, Flag, LayoutDashboard, ScrollText, Users } from "lucide-react";
import type { ReactNode } from "react";
import { adminCaller } from "#app/_lib/current-user";
import { SideNav } from "#app/_ui/side-nav.tsx";

const itemsWith = (waiting: { requests: number; reported: number }) => [
  { href: "/admin", label: "Overview", icon: <LayoutDashboard />, exact: true },
  {
    href: "/admin/applications",
    label: "Applications",
    icon: <Boxes />,
    waiting: { count: waiting.requests, what: "requests for verification" },
  },
  {
    href: "/admin/reports",
    label: "Reports",
    icon: <Flag />,
    waiting: { count: waiting.reported, what: "reported applications" },
  },
  { href: "/admin/accounts", label: "Accounts", icon: <Users /> },
  { href: "/admin/system", label: "System", icon: <Activity /> },
  { href: "/admin/audit", label: "Audit log", icon: <ScrollText /> },
];

/** Layout and page are rendered in parallel, so each checks the session itself. */
export default async function AdminSection({ children }: { children: ReactNode }) {
  const { admin } = await adminCaller();
  const [requests, reported] = await Promise.all([
    admin.verificationRequests(),
    admin.reportedCount(),
  ]);
  return (
    <SideNav label="Administration" items={itemsWith({ requests, reported })}>
      {children}
    </SideNav>
  );
}
