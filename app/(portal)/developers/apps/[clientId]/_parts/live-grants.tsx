"use client";

import { Users } from "lucide-react";
import { useRouter } from "next/navigation";
import { formatCount, formatNumber } from "#app/_lib/format-count";
import { useAct } from "#app/_lib/use-act";
import { Badge } from "#app/_ui/badge.tsx";
import { ConfirmDialog } from "#app/_ui/confirm-dialog.tsx";
import { DataTable } from "#app/_ui/data-table.tsx";
import { EmptyState } from "#app/_ui/empty-state.tsx";
import { LinkButton } from "#app/_ui/link-button.tsx";
import { Time } from "#app/_ui/time.tsx";
import { useToast } from "#app/_ui/toast.tsx";
import { RefusalAlert } from "#app/(portal)/developers/_parts/refusal-alert.tsx";
import { useConfirmedAct } from "#app/(portal)/developers/_parts/use-confirmed-act";
import type { LiveGrant } from "#server/oauth/clients/live-grants/live-grant";

type Props = { clientId: string; grants: readonly LiveGrant[] };

const nameOf = ({ player }: LiveGrant) => `${player.name} [${player.id}]`;

/** The devices on which players let the application in, each with the way to end it. */
export function LiveGrants({ clientId, grants }: Props) {
  const revoke = useAct((portal, grantId: string) => portal.applications.revokeGrant.mutate({ clientId, grantId }));
  const { refused, confirm } = useConfirmedAct();
  const toast = useToast();
  const router = useRouter();

  const end = (grant: LiveGrant) =>
    confirm(async () => {
      await revoke.run(grant.id);
      toast({ tone: "good", title: `Access for ${nameOf(grant)} is revoked` });
      router.refresh();
    });

  return (
    <>
      {refused && (
        <div className="p-4 sm:px-5">
          <RefusalAlert refused={refused} here={`/developers/apps/${clientId}/tokens`} />
        </div>
      )}
      <DataTable
        caption="Live access"
        rows={grants}
        rowKey={({ id }) => id}
        empty={
          <EmptyState
            icon={<Users />}
            title="Nobody is connected"
            action={<LinkButton href={`/developers/apps/${clientId}`}>Code that connects</LinkButton>}
          >
            When a player approves the application, the device is listed here as long as it has a live token.
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
                  <bdi>{player.name}</bdi> <span className="tabular font-normal text-ink-faint">[{player.id}]</span>
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
          { key: "tokens", header: "Live tokens", numeric: true, cell: ({ tokens }) => formatNumber(tokens) },
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
                description="The player's other devices are not affected. The player gets a notice and can connect again."
                consequences={[`1 player, ${formatCount(grant.tokens, "live token")}, on one device`]}
                onConfirm={() => end(grant)}
              />
            ),
          },
        ]}
      />
    </>
  );
}
