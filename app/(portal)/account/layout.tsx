import { Blocks, CircleUser, MonitorSmartphone } from "lucide-react";
import type { ReactNode } from "react";
import { SideNav } from "#ui/side-nav";

const items = [
  { href: "/account", label: "Account", icon: <CircleUser aria-hidden="true" />, exact: true },
  { href: "/account/apps", label: "Connected apps", icon: <Blocks aria-hidden="true" /> },
  { href: "/account/sessions", label: "Sign-ins", icon: <MonitorSmartphone aria-hidden="true" /> },
];

export default function AccountSection({ children }: { children: ReactNode }) {
  return (
    <SideNav label="Your account" items={items}>
      {children}
    </SideNav>
  );
}
