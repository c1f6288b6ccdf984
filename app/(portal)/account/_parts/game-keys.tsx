import { KeyRound } from "lucide-react";
import { gameName } from "#app/_lib/settings";
import { signInPath } from "#app/_lib/sign-in-path";
import { Confirmation } from "#app/_parts/confirmation.tsx";
import { Status } from "#app/_ui/badge.tsx";
import { Card } from "#app/_ui/card.tsx";
import { DataTable } from "#app/_ui/data-table.tsx";
import { EmptyState } from "#app/_ui/state-message.tsx";
import { LinkButton } from "#app/_ui/text-link.tsx";
import type { KeyCard } from "#server/users/keys/own-keys";

const states = {
  active: { tone: "good", word: "Works" },
  paused: { tone: "warn", word: "Paused" },
  disabled: { tone: "warn", word: "Not usable" },
  dead: { tone: "bad", word: "Deleted" },
} as const satisfies Record<KeyCard["state"], unknown>;

export function GameKeys({ gameKeys }: { gameKeys: readonly KeyCard[] }) {
  const addKey = (
    <LinkButton href={signInPath({ next: "/account", for: "key" })} document size="sm">
      Add another key
    </LinkButton>
  );
  return (
    <Card
      title="Game keys"
      description={`Stored encrypted. If you delete a key in ${gameName()}, it is removed here the next time it is used.`}
      actions={addKey}
      flush
    >
      <DataTable
        caption="Game keys"
        rows={gameKeys}
        rowKey={(key) => key.id}
        empty={
          <EmptyState icon={<KeyRound />} title="No key is stored">
            Add your {gameName()} API key to store one.
          </EmptyState>
        }
        columns={[
          {
            header: "Key",
            primary: true,
            cell: ({ lastFour }) => (
              <span className="font-mono">
                <span className="sr-only">ends in </span>
                <span aria-hidden="true">••••</span>
                {lastFour}
              </span>
            ),
          },
          { header: "Level", cell: ({ type }) => type },
          {
            header: "Faction data",
            cell: ({ factionApiAccess }) => (factionApiAccess ? "Can read it" : "Cannot read it"),
          },
          {
            header: "State",
            unlabelled: true,
            nowrap: true,
            cell: ({ state, lastError }) => (
              <span title={lastError ?? undefined}>
                <Status tone={states[state].tone}>{states[state].word}</Status>
              </span>
            ),
          },
          { header: "Last worked", at: ({ lastOkAt }) => lastOkAt },
          { header: "Added", at: ({ createdAt }) => createdAt },
          {
            header: "Remove",
            actions: true,
            cell: ({ id, lastFour }) => (
              <Confirmation
                label="Remove"
                what={`the key ending in ${lastFour}`}
                confirm="Remove the key"
                action="/account/keys/remove"
                fields={{ key_id: id }}
                consequences={`Adjutant deletes the key that ends in ${lastFour}${gameKeys.length === 1 ? ", your last one: applications get no new data of yours until you add another" : ""}. In ${gameName()} it stays until you delete it there.`}
              />
            ),
          },
        ]}
      />
    </Card>
  );
}
