import { UserPlus } from "lucide-react";
import { caller } from "#app/_lib/caller";
import { formatCount } from "#app/_lib/format";
import { Confirmation } from "#app/_parts/confirmation.tsx";
import { CsrfForm } from "#app/_parts/csrf-form.tsx";
import { PlayerLink } from "#app/_parts/player-link.tsx";
import { Button } from "#app/_ui/button.tsx";
import { Card } from "#app/_ui/card.tsx";
import { DataTable } from "#app/_ui/data-table.tsx";
import { InputField } from "#app/_ui/field.tsx";
import { mostTestPlayers } from "#server/oauth/clients/team/rights";

type Props = {
  clientId: string;
  action: string;
  /** The name or ID that was refused. */
  refused: string | undefined;
  error: string | undefined;
};

/** Until the application is opened. */
export async function TestPlayers({ clientId, action, refused, error }: Props) {
  const testers = await (await caller()).team.testPlayers({ clientId });
  const room = mostTestPlayers - testers.length;
  return (
    <Card
      title="Test players"
      description={`Until it opens to players, only the team and these players can approve it. ${
        room > 0
          ? `Room for ${formatCount(room, "more player")}.`
          : "The list is full: remove a player to add another."
      }`}
      flush
      footer={
        room > 0 && (
          <CsrfForm
            action={action}
            fields={{ act: "add-tester" }}
            className="flex w-full flex-wrap items-end gap-3"
          >
            <InputField
              name="tester"
              label="Player name or ID"
              className="min-w-0 flex-1 basis-56"
              error={error}
              autoComplete="off"
              maxLength={100}
              defaultValue={refused}
            />
            <Button type="submit">
              <UserPlus className="size-4" />
              Add test player
            </Button>
          </CsrfForm>
        )
      }
    >
      <DataTable
        caption="Test players"
        rows={testers}
        rowKey={({ playerId }) => playerId}
        empty={<p className="px-4 py-3 text-ink-soft sm:px-5">No test players yet.</p>}
        columns={[
          {
            header: "Player",
            primary: true,
            cell: (player) => (
              <span className="wrap-anywhere">
                <PlayerLink {...player} />
              </span>
            ),
          },
          { header: "Added", at: ({ addedAt }) => addedAt },
          {
            header: "Change",
            actions: true,
            cell: ({ playerId, name }) => (
              <Confirmation
                label="Remove"
                what={name}
                action={action}
                fields={{ act: "remove-tester", player_id: String(playerId) }}
                consequences="They can no longer approve it, and access that they gave it ends at once."
              />
            ),
          },
        ]}
      />
    </Card>
  );
}
