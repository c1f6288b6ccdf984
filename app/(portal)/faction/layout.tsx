import { Crosshair, Landmark, LayoutDashboard, MessagesSquare, Swords } from "lucide-react";
import type { ReactNode } from "react";
import { SideNav } from "#app/_ui/side-nav.tsx";

const items = [
  { href: "/faction", label: "Board", icon: <LayoutDashboard aria-hidden="true" />, exact: true },
  { href: "/faction/banking", label: "Vault", icon: <Landmark aria-hidden="true" /> },
  { href: "/faction/targets", label: "Targets", icon: <Crosshair aria-hidden="true" /> },
  { href: "/faction/stats", label: "Scores", icon: <Swords aria-hidden="true" /> },
  { href: "/faction/chat", label: "Chat server", icon: <MessagesSquare aria-hidden="true" /> },
];

export default function FactionSection({ children }: { children: ReactNode }) {
  return (
    <SideNav label="Your faction" items={items}>
      {children}
    </SideNav>
  );
}
