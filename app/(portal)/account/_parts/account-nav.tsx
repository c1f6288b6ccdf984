"use client";

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
import type { NavItem } from "#app/_ui/nav-link.tsx";
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

type Props = {
  /** The head's links, of which some have a count. */
  counted: readonly NavItem[];
  children: ReactNode;
};

/** A client component, so that the page's data does not repeat the icons. */
export const AccountNav = ({ counted, children }: Props) => (
  <SideNav
    label="Your account"
    items={items.map((item) => ({
      ...counted.find(({ href }) => href === item.href),
      ...item,
    }))}
  >
    {children}
  </SideNav>
);
