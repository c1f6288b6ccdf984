import { Users } from "lucide-react";
import type { ReactNode } from "react";
import { gameName } from "#app/_lib/settings";
import { Card, EmptyState } from "#app/_ui/card.tsx";
import { PageHeader } from "#app/_ui/page-header.tsx";

type Props = {
  title: string;
  /** What a member would see: "its vault appears here." */
  children: ReactNode;
};

export function NoFaction({ title, children }: Props) {
  return (
    <>
      <PageHeader title={title} />
      <Card flush>
        <EmptyState icon={<Users />} title="You are not in a faction">
          When you join a faction in {gameName()}, {children} A change is seen within the hour, or
          as soon as you sign in with your key.
        </EmptyState>
      </Card>
    </>
  );
}
