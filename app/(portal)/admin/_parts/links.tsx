import type { ComponentProps } from "react";
import { escapeInvisible } from "#app/_lib/format";
import { Emblem } from "#app/_parts/emblem.tsx";
import { PlayerName } from "#app/_parts/player-link.tsx";
import { Badge } from "#app/_ui/badge.tsx";
import { TextLink } from "#app/_ui/text-link.tsx";
import type { RouterOutputs } from "#server/portal/router";

type AccountLinkProps = {
  accountId: string;
  /** Null for a deleted account. */
  player: ComponentProps<typeof PlayerName> | null;
};

export const AccountLink = ({ accountId, player }: AccountLinkProps) => (
  <TextLink href={`/admin/accounts/${accountId}`} plain className="hover:underline">
    {player ? <PlayerName {...player} /> : "A deleted account"}
  </TextLink>
);

type ApplicationLinkProps = { application: ComponentProps<typeof Emblem>["of"] & { name: string } };

export const ApplicationLink = ({ application }: ApplicationLinkProps) => (
  <>
    <Emblem of={application} size="sm" />
    <TextLink
      href={`/admin/applications/${application.clientId}`}
      plain
      className="min-w-0 font-medium hover:underline"
    >
      <bdi>{escapeInvisible(application.name)}</bdi>
    </TextLink>
  </>
);

type Application = RouterOutputs["admin"]["application"];

export function ApplicationStateBadge({
  verifiedAt,
  suspendedAt,
  requestedAt,
}: Pick<Application, "verifiedAt" | "suspendedAt"> & Partial<Pick<Application, "requestedAt">>) {
  if (suspendedAt) return <Badge tone="bad">Suspended</Badge>;
  if (requestedAt) return <Badge tone="warn">Verification requested</Badge>;
  return verifiedAt ? <Badge tone="good">Verified</Badge> : <Badge>Unverified</Badge>;
}
