import { Boxes, FlaskConical, Plus, Stethoscope } from "lucide-react";
import type { ReactNode } from "react";
import { currentViewer } from "#app/_lib/current-user";
import { SideNav } from "#app/_ui/side-nav.tsx";

const others = [
  { href: "/developers/new", label: "Register", icon: <Plus aria-hidden="true" /> },
  { href: "/developers/doctor", label: "Doctor", icon: <Stethoscope aria-hidden="true" /> },
  {
    href: "/developers/playground",
    label: "Playground",
    icon: <FlaskConical aria-hidden="true" />,
  },
];

export default async function DeveloperSection({ children }: { children: ReactNode }) {
  const count = (await currentViewer())?.failingApplications.length ?? 0;
  const applications = {
    ...{
      href: "/developers",
      label: "Applications",
      icon: <Boxes aria-hidden="true" />,
      exact: true,
    },
    waiting: { count, what: "failing" },
  };
  return (
    <SideNav label="Developer pages" items={[applications, ...others]}>
      {children}
    </SideNav>
  );
}
