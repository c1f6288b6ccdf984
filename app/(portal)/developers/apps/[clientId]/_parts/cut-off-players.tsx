"use client";

import { useRouter } from "next/navigation";
import type { ComponentProps } from "react";
import { formatCappedCount, formatCount } from "#app/_lib/format";
import { forDialog, type ProcedureError, wantedProof } from "#app/_lib/refusal";
import { trpc } from "#app/_lib/trpc";
import { RefusalAlert } from "#app/_parts/refusal-alert.tsx";
import { Card } from "#app/_ui/card.tsx";
import { ConfirmDialog } from "#app/_ui/confirm-dialog.tsx";
import { useToast } from "#app/_ui/toast.tsx";
import type { GrantCounts } from "#server/oauth/clients/live-grants/live-grant";
import type { CappedCount } from "#server/platform/paging";

type DeleteApplicationProps = {
  clientId: string;
  name: string;
  figures: { users: CappedCount; tokens: CappedCount };
};

export function DeleteApplication({ clientId, name, figures }: DeleteApplicationProps) {
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
    <CutByName
      title="Delete this application"
      description="Its tokens stop working at once, and every connected player gets a notice. This cannot be undone."
      players={figures.users}
      tokens={figures.tokens}
      name={name}
      dialog={{
        label: "Delete application",
        title: `Delete ${name}?`,
        description: "This cannot be undone, and the client ID is never reused.",
        consequences: [
          `${formatCappedCount(figures.users, "player")} will be cut off`,
          `${formatCappedCount(figures.tokens, "live token")} will end at once`,
        ],
      }}
      mutation={remove}
      clientId={clientId}
      here={`/developers/apps/${clientId}/danger`}
    />
  );
}

type RevokeAllGrantsProps = { clientId: string; name: string; all: GrantCounts };

export function RevokeAllGrants({ clientId, name, all }: RevokeAllGrantsProps) {
  const utils = trpc.useUtils();
  const toast = useToast();
  const revoke = trpc.applications.revokeAllGrants.useMutation({
    onSuccess({ players, grants }) {
      toast({
        tone: "good",
        title: `${formatCount(grants, "grant")} of ${formatCount(players, "player")} ended`,
      });
      void utils.applications.liveGrants.invalidate({ clientId });
    },
  });

  return (
    <CutByName
      title="Revoke all access"
      description="Use this after a leak. The application stays, and players can connect again."
      players={all.players}
      tokens={all.tokens}
      name={name}
      dialog={{
        label: "Revoke all",
        title: `Revoke all access of ${name}?`,
        description:
          "Each player gets a notice. If a secret leaked, replace it first: it could be used to get new tokens.",
        consequences: [
          `${formatCappedCount(all.players, "player")} with ${formatCappedCount(all.grants, "grant")} will be cut off`,
          `${formatCappedCount(all.tokens, "live token")} will end at once, and every refresh token`,
        ],
      }}
      mutation={revoke}
      clientId={clientId}
      here={`/developers/apps/${clientId}/tokens`}
    />
  );
}

type CutByNameProps = {
  title: string;
  description: string;
  /** Number of affected players. */
  players: CappedCount;
  tokens: CappedCount;
  /** Must be typed. */
  name: string;
  dialog: Required<
    Pick<ComponentProps<typeof ConfirmDialog>, "label" | "title" | "description" | "consequences">
  >;
  mutation: {
    readonly error: ProcedureError | null;
    mutateAsync(input: ConfirmedByName): Promise<unknown>;
  };
  clientId: string;
  /** Where a sign-in returns to. */
  here: string;
};
type ConfirmedByName = { readonly clientId: string; readonly confirmName: string };

/** Requires the application's name. */
function CutByName({
  title,
  description,
  players,
  tokens,
  name,
  dialog,
  mutation,
  clientId,
  here,
}: CutByNameProps) {
  return (
    <Card
      tone="danger"
      title={title}
      description={description}
      footer={
        <>
          <span>
            {formatCappedCount(players, "player")}, {formatCappedCount(tokens, "live token")}
          </span>
          <ConfirmDialog
            {...dialog}
            confirmName={name}
            onConfirm={() => forDialog(mutation.mutateAsync({ clientId, confirmName: name }))}
          />
        </>
      }
    >
      {mutation.error && wantedProof(mutation.error) && (
        <RefusalAlert refused={mutation.error} here={here} />
      )}
    </Card>
  );
}
