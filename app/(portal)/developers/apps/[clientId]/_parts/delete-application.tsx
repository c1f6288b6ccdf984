"use client";

import { useRouter } from "next/navigation";
import { tallyInWords } from "#lib/tally-in-words";
import { useAct } from "#lib/use-act";
import type { Tally } from "#server/tally";
import { Card } from "#ui/card";
import { ConfirmDialog } from "#ui/confirm-dialog";
import { useToast } from "#ui/toast";
import { RefusalAlert } from "../../../_parts/refusal-alert";
import { useConfirmedAct } from "../../../_parts/use-confirmed-act";

type Props = { clientId: string; name: string; figures: { users: Tally; tokens: Tally } };

/** Ends an application for good. Says what that cuts, and wants its name. */
export function DeleteApplication({ clientId, name, figures }: Props) {
  const remove = useAct((portal, confirmName: string) => portal.applications.delete.mutate({ clientId, confirmName }));
  const { refused, confirm } = useConfirmedAct();
  const toast = useToast();
  const router = useRouter();

  const end = () =>
    confirm(async () => {
      await remove.run(name);
      toast({ tone: "good", title: `${name} is deleted` });
      router.push("/developers");
      router.refresh();
    });

  return (
    <Card
      tone="danger"
      title="Delete this application"
      description="Its tokens end at once and players lose what they connected; each of them gets a notice. This cannot be undone."
      footer={
        <>
          <span>
            {tallyInWords(figures.users, "player")}, {tallyInWords(figures.tokens, "live token")}
          </span>
          <ConfirmDialog
            label="Delete application"
            title={`Delete ${name}?`}
            description="It cannot be brought back, and its client id is not given out again."
            consequences={[
              `${tallyInWords(figures.users, "player")} will be cut off`,
              `${tallyInWords(figures.tokens, "live token")} will end at once`,
            ]}
            confirmName={name}
            onConfirm={end}
          />
        </>
      }
    >
      {refused && <RefusalAlert refused={refused} here={`/developers/apps/${clientId}/danger`} />}
    </Card>
  );
}
