import { cache } from "react";
import { readSettings } from "#server/platform/env";

/** The process's settings for a page, parsed once a request. */
export const pageSettings = cache(readSettings);

/** What pages call the game: the setting GAME_NAME. The API and its errors use the neutral words of the specification. */
export const gameName = (): string => pageSettings().gameName;
