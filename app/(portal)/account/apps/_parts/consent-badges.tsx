import { BadgeCheck } from "lucide-react";
import { Badge } from "#app/_ui/badge.tsx";
import type { ConsentSummary } from "#server/oauth/consents/list-consents";

type Props = { application: ConsentSummary["application"]; paused: boolean };

/** How an application stands, in a word or two each. */
export function ConsentBadges({ application, paused }: Props) {
  return (
    <>
      {application.suspended && <Badge tone="bad">Suspended</Badge>}
      {paused && <Badge tone="warn">Paused</Badge>}
      {application.verified && (
        <Badge tone="good" icon={<BadgeCheck aria-hidden="true" />}>
          Verified
        </Badge>
      )}
    </>
  );
}
