import type { Context } from "#server/context";
import { UnknownFactionKey } from "#server/failures";
import { type GameErrorKind, isGameError } from "#server/game/game-error";
import { askGame, type Question } from "#server/users/keys/ask-game";
import { pickKey } from "#server/users/keys/pick-key";

/** Refusals after which the key reads no faction data any more, so that another member's is worth a try. */
const keyIsOut: readonly GameErrorKind[] = [
  "key-dead",
  "key-paused",
  "owner-unavailable",
  "private-selection",
  "access-level",
];

/** More keys than this are not tried for one question: whoever asks is waiting. */
const mostKeys = 5;

/**
 * Asks the game about a faction's vault, with the key of a member who may read it.
 * @throws UnknownFactionKey where nobody's key is left, GameError
 */
export async function askVault<T>(ctx: Context, factionId: number, question: Omit<Question<T>, "key">): Promise<T> {
  for (let tried = 1; ; tried++) {
    const key = await pickKey(ctx, { of: "faction", factionId });
    if (!key) throw UnknownFactionKey.because();
    try {
      return await askGame(ctx, { ...question, key });
    } catch (error) {
      if (!isGameError(error) || !keyIsOut.includes(error.kind) || tried === mostKeys) throw error;
    }
  }
}
