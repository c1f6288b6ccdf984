import { Bell, Blocks, CircleUser, History, MonitorSmartphone, ShieldCheck } from "lucide-react";
import type { ReactNode } from "react";
import { currentViewer } from "#app/_lib/current-user";
import { SideNav } from "#app/_ui/side-nav.tsx";

const items = [
  { href: "/account", label: "Account", icon: <CircleUser aria-hidden="true" />, exact: true },
  { href: "/account/apps", label: "Connected apps", icon: <Blocks aria-hidden="true" /> },
  { href: "/account/notices", label: "Notices", icon: <Bell aria-hidden="true" /> },
  { href: "/account/history", label: "History", icon: <History aria-hidden="true" /> },
  { href: "/account/sessions", label: "Sessions", icon: <MonitorSmartphone aria-hidden="true" /> },
  { href: "/account/security", label: "Security", icon: <ShieldCheck aria-hidden="true" /> },
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
