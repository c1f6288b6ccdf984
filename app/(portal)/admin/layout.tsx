import { Activity, Boxes, Flag, LayoutDashboard, ScrollText, Users } from "lucide-react";
import type { ReactNode } from "react";
import { adminCaller } from "#app/_lib/current-user";
import { SideNav } from "#app/_ui/side-nav.tsx";

const itemsWith = (waiting: { requests: number; reported: number }) => [
  { href: "/admin", label: "Overview", icon: <LayoutDashboard aria-hidden="true" />, exact: true },
  {
    href: "/admin/applications",
    label: "Applications",
    icon: <Boxes aria-hidden="true" />,
    waiting: { count: waiting.requests, what: "requests for verification" },
  },
  {
    href: "/admin/reports",
    label: "Reports",
    icon: <Flag aria-hidden="true" />,
    waiting: { count: waiting.reported, what: "reported applications" },
  },
  { href: "/admin/accounts", label: "Accounts", icon: <Users aria-hidden="true" /> },
  { href: "/admin/system", label: "System", icon: <Activity aria-hidden="true" /> },
  { href: "/admin/audit", label: "Audit log", icon: <ScrollText aria-hidden="true" /> },
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
