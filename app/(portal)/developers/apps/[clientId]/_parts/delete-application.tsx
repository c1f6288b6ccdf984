"use client";

import { useRouter } from "next/navigation";
import { formatCappedCount } from "#app/_lib/format";
import { forDialog, wantedProof } from "#app/_lib/refusal";
import { trpc } from "#app/_lib/trpc";
import { RefusalAlert } from "#app/_parts/refusal-alert.tsx";
import { Card } from "#app/_ui/card.tsx";
import { ConfirmDialog } from "#app/_ui/confirm-dialog.tsx";
import { useToast } from "#app/_ui/toast.tsx";
import type { CappedCount } from "#server/platform/capped-count";

type Props = { clientId: string; name: string; figures: { users: CappedCount; tokens: CappedCount } };

/** Ends an application for good. Says what that cuts, and wants its name. */
export function DeleteApplication({ clientId, name, figures }: Props) {
  const toast = useToast();
  const router = useRouter();
  const remove = trpc.applications.delete.useMutation({
    onSuccess() {
      toast({ tone: "good", title: `${name} is deleted` });
      router.push("/developers");
      router.refresh();
    },
  });

  return (
    <Card
      tone="danger"
      title="Delete this application"
      description="Its tokens stop working at once, and every connected player gets a notice. This cannot be undone."
      footer={
        <>
          <span>
            {formatCappedCount(figures.users, "player")}, {formatCappedCount(figures.tokens, "live token")}
          </span>
          <ConfirmDialog
            label="Delete application"
            title={`Delete ${name}?`}
            description="This cannot be undone, and the client ID is never reused."
            consequences={[
              `${formatCappedCount(figures.users, "player")} will be cut off`,
              `${formatCappedCount(figures.tokens, "live token")} will end at once`,
            ]}
            confirmName={name}
            onConfirm={() => forDialog(remove.mutateAsync({ clientId, confirmName: name }))}
          />
        </>
      }
    >
      {remove.error && wantedProof(remove.error) && (
        <RefusalAlert refused={remove.error} here={`/developers/apps/${clientId}/danger`} />
      )}
    </Card>
  );
}
