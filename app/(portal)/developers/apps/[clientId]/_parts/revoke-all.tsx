"use client";

import { useRouter } from "next/navigation";
import { countOf } from "#lib/count-of";
import { tallyInWords } from "#lib/tally-in-words";
import { useAct } from "#lib/use-act";
import type { GrantCounts } from "#server/oauth/clients/live-grants/live-grant";
import { Card } from "#ui/card";
import { ConfirmDialog } from "#ui/confirm-dialog";
import { useToast } from "#ui/toast";
import { RefusalAlert } from "../../../_parts/refusal-alert";
import { useConfirmedAct } from "../../../_parts/use-confirmed-act";

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
      toast({ tone: "good", title: `${countOf(grants, "grant")} of ${countOf(players, "player")} ended` });
      router.refresh();
    });

  return (
    <Card
      tone="danger"
      title="Revoke all access"
      description="After a leak. The application stays, and players can connect again."
      footer={
        <>
          <span>
            {tallyInWords(all.players, "player")}, {tallyInWords(all.tokens, "live token")}
          </span>
          <ConfirmDialog
            label="Revoke all"
            title={`Revoke all access of ${name}?`}
            description="Each player gets a notice. If a secret leaked, replace it first: whoever has it could ask for new tokens."
            consequences={[
              `${tallyInWords(all.players, "player")} on ${tallyInWords(all.grants, "device")} will be cut off`,
              `${tallyInWords(all.tokens, "live token")} will end at once, and every refresh token`,
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
