import {
  Bell,
  BellRing,
  Blocks,
  CircleUser,
  History,
  MonitorSmartphone,
  ShieldCheck,
} from "lucide-react";
import type { ReactNode } from "react";
import { currentViewer } from "#app/_lib/current-user";
import { SideNav } from "#app/_ui/side-nav.tsx";

const items = [
  { href: "/account", label: "Account", icon: <CircleUser />, exact: true },
  { href: "/account/apps", label: "Connected apps", icon: <Blocks /> },
  { href: "/account/notices", label: "Notices", icon: <Bell /> },
  { href: "/account/notifications", label: "Notifications", icon: <BellRing /> },
  { href: "/account/history", label: "History", icon: <History /> },
  { href: "/account/sessions", label: "Sessions", icon: <MonitorSmartphone /> },
  { href: "/account/security", label: "Security", icon: <ShieldCheck /> },
];

export default async function AccountSection({ children }: { children: ReactNode }) {
  const links = (await currentViewer())?.links ?? [];
  const counted = items.map((item) => ({
    ...item,
    ...links.find(({ href }) => href === item.href),
    label: item.label,
  }));
  return (
    <SideNav label="Your account" items={counted}>
      {children}
    </SideNav>
  );
}
