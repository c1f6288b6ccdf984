import type { Context } from "#server/context";
import { UnknownFactionKey } from "#server/failures";
import { type GameCallError, isGameCallError } from "#server/game/game-call-error";
import { callGame, type GameCall } from "#server/users/keys/call-game";
import { pickKey } from "#server/users/keys/pick-key";
import { refreshPlayer } from "#server/users/refresh-player";
import { isKeyOutForFaction } from "../reject-wrong-faction";

/** Many who ask at once may pick one key: what is left of the others' budgets is theirs then. The game was not asked. */
const isSpent = ({ kind, selection }: GameCallError) => kind === "owner-budget" && selection === undefined;

/** More keys than this are not tried for one question: the caller is waiting. */
const mostKeys = 5;

interface VaultQuestion<T> extends Omit<GameCall<T>, "key"> {
  /** Whose vault the answer tells of, where it says so: the key's owner may have changed faction since. */
  readonly concerns?: (answer: T) => number;
}

/**
 * Asks the game about a faction's vault, with the key of a member who may read it.
 * @throws UnknownFactionKey where nobody's key is left, GameCallError
 */
export async function fetchVaultBalance<T>(ctx: Context, factionId: number, asked: VaultQuestion<T>): Promise<T> {
  const { concerns, ...question } = asked;
  let spent: GameCallError | undefined;
  const refused = new Set<string | null>();
  for (let tried = 1; tried <= mostKeys; tried++) {
    const key = await pickKey(ctx, { of: "faction", factionId }, refused);
    if (!key) break;
    try {
      const answer = await callGame(ctx, { ...question, key });
      if (!concerns || concerns(answer) === factionId) return answer;
      await refreshPlayer(ctx, { playerId: key.playerId, key, priority: question.priority });
    } catch (error) {
      if (!isGameCallError(error)) throw error;
      if (isSpent(error)) spent = error;
      else if (isKeyOutForFaction(error)) refused.add(key.id);
      else throw error;
    }
  }
  throw spent ?? UnknownFactionKey.because();
}
