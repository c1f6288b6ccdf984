import { readSettings } from "#server/platform/env";

let name: string | undefined;

/** What pages call the game: the setting GAME_NAME. The API and its errors use the neutral words of the specification. */
export function gameName(): string {
  name ??= readSettings().gameName;
  return name;
}
