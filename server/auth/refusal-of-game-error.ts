import type { GameError, GameErrorKind } from "#server/game/game-error";
import type { SignInRefusal } from "./sign-in-refused";

/** What a refusal of the game says about the key. What is not listed says nothing about it: the game could not be asked. */
const refusals: Partial<Record<GameErrorKind, SignInRefusal>> = {
  "key-dead": "wrong-key",
  "key-paused": "key-paused",
  "key-just-changed": "key-just-changed",
  "owner-unavailable": "owner-unavailable",
  "access-level": "key-insufficient",
  "private-selection": "key-insufficient",
};

/** Why a sign-in is refused when the game answered its question with this error. */
export const refusalOfGameError = (error: GameError): SignInRefusal => refusals[error.kind] ?? "game-unavailable";
