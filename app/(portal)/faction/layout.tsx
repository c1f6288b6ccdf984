import { Blocks, Crosshair, Landmark, LayoutDashboard, MessagesSquare, Swords } from "lucide-react";
import type { ReactNode } from "react";
import { currentViewer } from "#app/_lib/current-user";
import { SideNav } from "#app/_ui/side-nav.tsx";

const items = [
  { href: "/faction", label: "Board", icon: <LayoutDashboard />, exact: true },
  { href: "/faction/banking", label: "Vault", icon: <Landmark /> },
  { href: "/faction/targets", label: "Targets", icon: <Crosshair /> },
  { href: "/faction/stats", label: "Scores", icon: <Swords /> },
  { href: "/faction/apps", label: "Apps", icon: <Blocks /> },
  { href: "/faction/chat", label: "Chat server", icon: <MessagesSquare /> },
];

export default async function FactionSection({ children }: { children: ReactNode }) {
  // Cached per request: the header shows the same count.
  const count = (await currentViewer())?.payableRequests ?? 0;
  const counted = items.map((item) =>
    item.href === "/faction/banking" ? { ...item, waiting: { count, what: "to pay" } } : item,
  );
  return (
    <SideNav label="Your faction" items={counted}>
      {children}
    </SideNav>
  );
}
