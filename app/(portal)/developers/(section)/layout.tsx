import { Boxes, FlaskConical, Plus, Stethoscope } from "lucide-react";
import type { ReactNode } from "react";
import { SideNav } from "#app/_ui/side-nav.tsx";

const items = [
  { href: "/developers", label: "Applications", icon: <Boxes aria-hidden="true" />, exact: true },
  { href: "/developers/new", label: "Register", icon: <Plus aria-hidden="true" /> },
  { href: "/developers/doctor", label: "Doctor", icon: <Stethoscope aria-hidden="true" /> },
  { href: "/developers/playground", label: "Playground", icon: <FlaskConical aria-hidden="true" /> },
];

export default function DeveloperSection({ children }: { children: ReactNode }) {
  return (
    <SideNav label="Developer pages" items={items}>
      {children}
    </SideNav>
  );
}
