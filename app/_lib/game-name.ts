import { cache } from "react";
import { readSettings } from "#server/platform/env";

/** What pages call the game: the setting GAME_NAME. The API and its errors use the neutral words of the specification. */
export const gameName = cache((): string => readSettings().gameName);
