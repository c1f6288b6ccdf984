import type { GameError, GameErrorKind } from "#server/game/game-error";

const kinds: readonly GameErrorKind[] = [
  "key-dead",
  "key-paused",
  "owner-unavailable",
  "private-selection",
  "access-level",
];

/** Whether the key that was refused reads no faction data any more, so that another member's is worth a try. */
export const isKeyOut = ({ kind }: GameError): boolean => kinds.includes(kind);
