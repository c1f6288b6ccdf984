"use client";

import type { ComponentProps } from "react";
import { formatCappedCount } from "#app/_lib/format";
import { forDialog, type ProcedureError, wantedProof } from "#app/_lib/refusal";
import { RefusalAlert } from "#app/_parts/refusal-alert.tsx";
import { Card } from "#app/_ui/card.tsx";
import { ConfirmDialog } from "#app/_ui/confirm-dialog.tsx";
import type { CappedCount } from "#server/platform/capped-count";

type Props = {
  title: string;
  description: string;
  /** What the act cuts. */
  players: CappedCount;
  tokens: CappedCount;
  /** The application's name, which is to be typed. */
  name: string;
  dialog: Required<Pick<ComponentProps<typeof ConfirmDialog>, "label" | "title" | "description" | "consequences">>;
  /** The mutation, which is given that name. */
  act: { readonly error: ProcedureError | null; mutateAsync(input: Input): Promise<unknown> };
  clientId: string;
  /** The page to come back to after a sign-in. */
  here: string;
};
type Input = { readonly clientId: string; readonly confirmName: string };

/** An act that cuts players off from an application: says how many, and wants the application's name. */
export function CutByName({ title, description, players, tokens, name, dialog, act, clientId, here }: Props) {
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
            onConfirm={() => forDialog(act.mutateAsync({ clientId, confirmName: name }))}
          />
        </>
      }
    >
      {act.error && wantedProof(act.error) && <RefusalAlert refused={act.error} here={here} />}
    </Card>
  );
}
