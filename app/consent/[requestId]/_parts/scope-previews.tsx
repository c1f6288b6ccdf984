import type { ReactNode } from "react";
import type { ScopeName } from "#server/scopes";
import type { PlayerCard } from "#server/users/accounts/show-player";
import { Time } from "#ui/time";

type Props = { player: PlayerCard; gameKeys: readonly { lastFour: string; type: string; state: string }[] };

/** What each scope would open of the reader's own data. Only what is stored is shown; the game is not asked. */
export function scopePreviews({ player, gameKeys }: Props): Partial<Record<ScopeName, ReactNode>> {
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
    ...(key && {
      "service_key:usage": (
        <span>
          Your {key.type} key <span className="font-mono">…{key.lastFour}</span>. It stays here: the application can
          have Adjutant ask with it, and never sees it.
        </span>
      ),
    }),
  };
}
