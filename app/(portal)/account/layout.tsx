import { Bell, Blocks, CircleUser, History, MonitorSmartphone, ShieldCheck } from "lucide-react";
import type { ReactNode } from "react";
import { SideNav } from "#app/_ui/side-nav.tsx";

const items = [
  { href: "/account", label: "Account", icon: <CircleUser aria-hidden="true" />, exact: true },
  { href: "/account/apps", label: "Connected apps", icon: <Blocks aria-hidden="true" /> },
  { href: "/account/notices", label: "Notices", icon: <Bell aria-hidden="true" /> },
  { href: "/account/history", label: "History", icon: <History aria-hidden="true" /> },
  { href: "/account/sessions", label: "Sign-ins", icon: <MonitorSmartphone aria-hidden="true" /> },
  { href: "/account/security", label: "Security", icon: <ShieldCheck aria-hidden="true" /> },
];

export default function AccountSection({ children }: { children: ReactNode }) {
  return (
    <SideNav label="Your account" items={items}>
      {children}
    </SideNav>
  );
}
