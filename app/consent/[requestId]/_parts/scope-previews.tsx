import type { ReactNode } from "react";
import { Time } from "#app/_ui/time.tsx";
import type { FactionPreview } from "#server/faction/preview-own-faction";
import type { ScopeName } from "#server/scopes";
import type { PlayerCard } from "#server/users/accounts/show-player";
import type { KeyCard } from "#server/users/keys/own-keys";
import { AttacksPreview, BankingPreview, CrimesPreview } from "./faction-previews";

type Props = {
  player: PlayerCard;
  gameKeys: readonly Pick<KeyCard, "lastFour" | "type" | "state" | "lastOkAt">[];
  /** Null where the player is in no faction, or nothing of one is asked for. */
  faction: FactionPreview | null;
};

/** What each scope would open of the reader's own data. Only what is stored is shown; the game is not asked. */
export function scopePreviews({ player, gameKeys, faction }: Props): Partial<Record<ScopeName, ReactNode>> {
  const key = gameKeys.find(({ state }) => state === "active");
  return {
    identity: (
      <span className="flex flex-wrap justify-between gap-x-4 gap-y-0.5">
        <span className="font-medium">
          {player.name} <span className="tabular font-normal">[{player.id}]</span>
        </span>
        <span className="text-ink-soft">{player.factionName ?? "No faction"}</span>
        <span className="w-full text-ink-soft">
          {player.chatLinked ? "The number of your chat account" : "No chat account linked"}
          {player.lastAction && (
            <>
              {" "}
              · last active <Time at={player.lastAction} />
            </>
          )}
        </span>
      </span>
    ),
    ...(faction && {
      faction: (
        <span className="grid gap-1.5">
          <span className="flex flex-wrap justify-between gap-x-4 gap-y-0.5">
            <span className="font-medium">{faction.factionName}</span>
            {faction.positionName && <span className="text-ink-soft">Your position: {faction.positionName}</span>}
          </span>
          <AttacksPreview attacks={faction.attacks} />
          <BankingPreview banking={faction.banking} />
          <CrimesPreview crimes={faction.crimes} />
        </span>
      ),
      "faction:attacks": <AttacksPreview attacks={faction.attacks} />,
      "faction:banking": <BankingPreview banking={faction.banking} />,
      "faction:crimes": <CrimesPreview crimes={faction.crimes} />,
    }),
    ...(key && {
      "service_key:usage": (
        <span className="flex flex-wrap justify-between gap-x-4 gap-y-0.5">
          <span>
            <span className="font-mono">
              <span className="sr-only">Your key that ends in </span>
              <span aria-hidden="true">••••</span>
              {key.lastFour}
            </span>{" "}
            · {key.type}
          </span>
          <span className="text-ink-soft">
            {key.lastOkAt ? (
              <>
                Last worked <Time at={key.lastOkAt} />
              </>
            ) : (
              "Not used yet"
            )}
          </span>
        </span>
      ),
    }),
  };
}
