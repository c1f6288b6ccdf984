"use client";

import { Users } from "lucide-react";
import { formatCappedCount, formatCount, formatNumber } from "#app/_lib/format";
import { forDialog } from "#app/_lib/refusal";
import { trpc } from "#app/_lib/trpc";
import { ListFooter } from "#app/_parts/list-footer.tsx";
import { RefusalAlert } from "#app/_parts/refusal-alert.tsx";
import { Badge } from "#app/_ui/badge.tsx";
import { Card } from "#app/_ui/card.tsx";
import { ConfirmDialog } from "#app/_ui/confirm-dialog.tsx";
import { DataTable } from "#app/_ui/data-table.tsx";
import { EmptyState } from "#app/_ui/state-message.tsx";
import { LinkButton } from "#app/_ui/text-link.tsx";
import { Time } from "#app/_ui/time.tsx";
import { useToast } from "#app/_ui/toast.tsx";
import type { GrantCounts, LiveGrant } from "#server/oauth/clients/live-grants/live-grant";
import { RevokeAllGrants } from "./cut-off-players";

type Props = {
  clientId: string;
  name: string;
  /** Undefined on the first page. */
  after: string | undefined;
};

const nameOf = ({ player }: LiveGrant) => `${player.name} [${player.id}]`;

function inAll({ players, grants, tokens }: GrantCounts): string {
  const counted = `${formatCappedCount(players, "player")} with ${formatCappedCount(grants, "grant")}, ${formatCappedCount(tokens, "live token")}.`;
  return grants.more ? `${counted} Only the newest grants are included.` : counted;
}

/** One per exchanged code. */
export function LiveGrants({ clientId, name, after }: Props) {
  const [{ rows, next, all }] = trpc.applications.liveGrants.useSuspenseQuery({
    clientId,
    after: after ?? null,
  });
  const utils = trpc.useUtils();
  const revoke = trpc.applications.revokeGrant.useMutation({
    onSuccess: () => void utils.applications.liveGrants.invalidate({ clientId }),
  });
  const toast = useToast();
  const here = `/developers/apps/${clientId}/tokens`;

  const end = (grant: LiveGrant) =>
    forDialog(
      revoke
        .mutateAsync({ clientId, grantId: grant.id })
        .then(() => toast({ tone: "good", title: `Access for ${nameOf(grant)} is revoked` })),
    );

  return (
    <div className="grid gap-6">
      <Card
        title="Live access"
        description={`${inAll(all)} One grant per device that connected.`}
        flush
        footer={
          <ListFooter address={here} after={after} next={next}>
            Newest first. Ended access is not listed.
          </ListFooter>
        }
      >
        <RefusalAlert refused={revoke.error} here={here} proofOnly className="p-4 sm:px-5" />
        <DataTable
          caption="Live access"
          rows={rows}
          rowKey={({ id }) => id}
          empty={
            <EmptyState
              icon={<Users />}
              title="Nobody is connected"
              action={
                <LinkButton href={`/developers/apps/${clientId}`}>Code that connects</LinkButton>
              }
            >
              When the application exchanges a player's code, the grant is listed here as long as it
              has a live token.
            </EmptyState>
          }
          columns={[
            {
              key: "player",
              header: "Player",
              primary: true,
              cell: ({ player, paused }) => (
                <span className="flex flex-wrap items-center gap-x-2">
                  <span className="font-medium wrap-anywhere">
                    <bdi>{player.name}</bdi>{" "}
                    <span className="tabular font-normal text-ink-faint">[{player.id}]</span>
                  </span>
                  {paused && <Badge tone="warn">Paused</Badge>}
                </span>
              ),
            },
            {
              key: "scopes",
              header: "Scopes",
              cell: ({ scopes }) =>
                scopes.length === 0 ? (
                  <span className="text-ink-faint">None</span>
                ) : (
                  <code className="font-mono text-xs wrap-anywhere">{scopes.join(" ")}</code>
                ),
            },
            { key: "since", header: "Since", nowrap: true, cell: ({ at }) => <Time at={at} /> },
            {
              key: "used",
              header: "Last used",
              nowrap: true,
              cell: ({ lastUsed }) => (lastUsed ? <Time at={lastUsed} /> : "Never"),
            },
            {
              key: "tokens",
              header: "Live tokens",
              numeric: true,
              cell: ({ tokens }) => formatNumber(tokens),
            },
            {
              key: "revoke",
              header: "Revoke",
              actions: true,
              cell: (grant) => (
                <ConfirmDialog
                  label="Revoke"
                  variant="secondary"
                  size="sm"
                  title={`Revoke access for ${nameOf(grant)}?`}
                  description="The player's other grants are not affected. The player gets a notice and can connect again."
                  consequences={[`1 player, ${formatCount(grant.tokens, "live token")}, one grant`]}
                  onConfirm={() => end(grant)}
                />
              ),
            },
          ]}
        />
      </Card>
      {all.grants.count > 0 && <RevokeAllGrants clientId={clientId} name={name} all={all} />}
    </div>
  );
}
