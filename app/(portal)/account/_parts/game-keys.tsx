import { KeyRound } from "lucide-react";
import { gameName } from "#app/_lib/settings";
import { signInPath } from "#app/_lib/sign-in-path";
import { Confirmation } from "#app/_parts/confirmation.tsx";
import { Status } from "#app/_ui/badge.tsx";
import { EmptyState } from "#app/_ui/card.tsx";
import { TableCard } from "#app/_ui/data-table.tsx";
import { LinkButton, TextLink } from "#app/_ui/text-link.tsx";
import { type KeyPurpose, keyPurposes } from "#server/game/selections";
import type { OwnKey } from "#server/users/keys/own-keys";

const states = {
  active: { tone: "good", word: "Works" },
  paused: { tone: "warn", word: "Paused" },
  disabled: { tone: "warn", word: "Not usable" },
  dead: { tone: "bad", word: "Deleted" },
} as const satisfies Record<OwnKey["state"], unknown>;

type Props = {
  gameKeys: readonly OwnKey[];
  /** What no key of the player can read. */
  unserved: readonly KeyPurpose[];
};

export function GameKeys({ gameKeys, unserved }: Props) {
  const addKey = (
    <LinkButton href={signInPath({ next: "/account", for: "key" })} size="sm">
      Add another key
    </LinkButton>
  );
  return (
    <TableCard
      title="Game keys"
      description={`Stored encrypted. If you delete a key in ${gameName()}, it is removed here the next time it is used.`}
      actions={addKey}
      footer={
        gameKeys.length > 0 &&
        unserved.length > 0 && (
          <ul className="grid gap-1">
            {unserved.map((purpose) => (
              <li key={purpose}>
                {keyPurposes[purpose].title}: no key of yours reads this.{" "}
                <TextLink href={signInPath({ next: "/account", for: purpose })}>
                  Add a key that does
                </TextLink>
              </li>
            ))}
          </ul>
        )
      }
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
          cell: (key) =>
            key.serves.includes("faction")
              ? "Can read it"
              : key.factionApiAccess
                ? "Can read parts of it"
                : "Cannot read it",
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
  );
}
