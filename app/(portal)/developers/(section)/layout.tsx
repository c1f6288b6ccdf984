import { Boxes, FlaskConical, Plus, Stethoscope } from "lucide-react";
import type { ReactNode } from "react";
import { currentViewer } from "#app/_lib/current-user";
import { SideNav } from "#app/_ui/side-nav.tsx";

const items = [
  { href: "/developers", label: "Applications", icon: <Boxes />, exact: true },
  { href: "/developers/new", label: "Register", icon: <Plus /> },
  { href: "/developers/doctor", label: "Doctor", icon: <Stethoscope /> },
  { href: "/developers/playground", label: "Playground", icon: <FlaskConical /> },
] as const;

export default async function DeveloperSection({ children }: { children: ReactNode }) {
  const count = (await currentViewer())?.failingApplications.length ?? 0;
  const [applications, ...others] = items;
  return (
    <SideNav
      label="Developer pages"
      items={[{ ...applications, waiting: { count, what: "failing" } }, ...others]}
    >
      {children}
    </SideNav>
  );
}
