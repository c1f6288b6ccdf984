import type { GameError } from "#server/game/game-error";
import { keyActs } from "./key-acts";

/** Whether the key that was refused is out of use for everything, so that the next one is worth a try. */
export const isKeyOut = ({ kind }: GameError): boolean => keyActs[kind]?.state !== undefined;
