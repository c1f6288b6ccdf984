"use client";

import { useRouter } from "next/navigation";
import { formatCappedCount, formatCount } from "#app/_lib/format-count";
import { useAct } from "#app/_lib/use-act";
import { Card } from "#app/_ui/card.tsx";
import { ConfirmDialog } from "#app/_ui/confirm-dialog.tsx";
import { useToast } from "#app/_ui/toast.tsx";
import { RefusalAlert } from "#app/(portal)/developers/_parts/refusal-alert.tsx";
import { useConfirmedAct } from "#app/(portal)/developers/_parts/use-confirmed-act";
import type { GrantCounts } from "#server/oauth/clients/live-grants/live-grant";

type Props = { clientId: string; name: string; all: GrantCounts };

/** Ends every grant of an application. Says what that cuts, and wants its name. */
export function RevokeAll({ clientId, name, all }: Props) {
  const revoke = useAct((portal, confirmName: string) =>
    portal.applications.revokeAllGrants.mutate({ clientId, confirmName }),
  );
  const { refused, confirm } = useConfirmedAct();
  const toast = useToast();
  const router = useRouter();

  const revokeAll = () =>
    confirm(async () => {
      const { players, grants } = await revoke.run(name);
      toast({ tone: "good", title: `${formatCount(grants, "grant")} of ${formatCount(players, "player")} ended` });
      router.refresh();
    });

  return (
    <Card
      tone="danger"
      title="Revoke all access"
      description="Use this after a leak. The application stays, and players can connect again."
      footer={
        <>
          <span>
            {formatCappedCount(all.players, "player")}, {formatCappedCount(all.tokens, "live token")}
          </span>
          <ConfirmDialog
            label="Revoke all"
            title={`Revoke all access of ${name}?`}
            description="Each player gets a notice. If a secret leaked, replace it first: it could be used to get new tokens."
            consequences={[
              `${formatCappedCount(all.players, "player")} on ${formatCappedCount(all.grants, "device")} will be cut off`,
              `${formatCappedCount(all.tokens, "live token")} will end at once, and every refresh token`,
            ]}
            confirmName={name}
            onConfirm={revokeAll}
          />
        </>
      }
    >
      {refused && <RefusalAlert refused={refused} here={`/developers/apps/${clientId}/tokens`} />}
    </Card>
  );
}
