import type { Context } from "#server/context";
import type { Priority } from "#server/game/budget";
import type { KeyInfo } from "#server/game/contract/key";
import type { BattleStats } from "#server/game/contract/stats";
import type { Player } from "#server/game/contract/user";
import { gameCallError, isGameCallError } from "#server/game/game-call-error";
import { callGame } from "./keys/call-game";
import type { GameKey } from "./keys/pick-key";

export interface PlayerQuestion {
  readonly playerId: number;
  readonly key: GameKey;
  readonly priority: Priority;
  /** What the key may read, where it is the player's own; null for somebody else's. */
  readonly own: KeyInfo | null;
}

export interface PlayerAnswer {
  readonly player: Player;
  /** Told by the player's own key alone, and not by every one. */
  readonly battleStats: BattleStats | null;
  /** Whether the counters are of this moment, and not of the end of yesterday. */
  readonly statsAreCurrent: boolean;
}

/** From this level on a key reads all of its owner's stats. */
const limitedKey = 3;

/** A custom key is asked for nothing that it does not list: the game's refusal would look like a loss of rights. */
const reads = ({ level, selections }: KeyInfo, selection: string, from: number): boolean =>
  level >= from || (level === 0 && (selections.user ?? []).includes(selection));

/**
 * Asks the game for a player with all stats that the key tells, in one call; in a second one without them where the game has
 * told enough stats for the day.
 * @throws GameCallError
 */
export async function fetchPlayer(ctx: Context, question: PlayerQuestion): Promise<PlayerAnswer> {
  const { playerId, key, priority, own } = question;
  const ask = async (stats: boolean): Promise<PlayerAnswer> => {
    if (own && stats && reads(own, "personalstats", 1)) {
      const level = reads(own, "battlestats", limitedKey) ? limitedKey : 1;
      const answer = await callGame(ctx, { key, priority, call: (game, text) => game.ownPlayer(text, { level }) });
      return { player: answer, battleStats: answer.battleStats, statsAreCurrent: level === limitedKey };
    }
    const selections = own ? undefined : { stats };
    const askedId = own ? undefined : playerId;
    const player = await callGame(ctx, { key, priority, call: (game, text) => game.player(text, askedId, selections) });
    return { player, battleStats: null, statsAreCurrent: false };
  };
  const answer = await ask(true).catch((error: unknown) => {
    if (isGameCallError(error) && error.kind === "daily-limit") return ask(false);
    throw error;
  });
  if (answer.player.playerId !== playerId)
    throw gameCallError({
      kind: "unexpected-answer",
      detail: `player ${answer.player.playerId} instead of ${playerId}`,
    });
  return answer;
}
