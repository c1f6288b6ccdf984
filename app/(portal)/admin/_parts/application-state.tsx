import { Badge } from "#app/_ui/badge.tsx";

type Props = { verifiedAt: Date | null; suspendedAt: Date | null };

/** How an application stands with the admins. */
export function ApplicationState({ verifiedAt, suspendedAt }: Props) {
  if (suspendedAt) return <Badge tone="bad">Suspended</Badge>;
  return verifiedAt ? <Badge tone="good">Verified</Badge> : <Badge>Unverified</Badge>;
}
