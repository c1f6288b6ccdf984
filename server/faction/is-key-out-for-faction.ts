import type { GameError } from "#server/game/game-error";
import { isKeyOut, keyActs } from "#server/users/keys/act-on-key";

/** Whether the key that was refused reads no faction data any more, so that another member's is worth a try. */
export const isKeyOutForFaction = (error: GameError): boolean =>
  isKeyOut(error) || keyActs[error.kind]?.ofFaction === true;
