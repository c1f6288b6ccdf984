import type { GameErrorKind } from "./game-error";

const outages: readonly GameErrorKind[] = ["server-side", "ip-block", "front-refusal", "network", "timeout"];

/** Whether an error says that the game is away or refuses our address, so that the next question would fare no better. */
export const isOutage = (kind: GameErrorKind): boolean => outages.includes(kind);
