import type { KeyInfo } from "#server/game/contract/key";

/** What we read of a player with their own key; every level from Public Only up may. */
export const neededUserSelections = ["profile", "discord", "faction"] as const;

const customLevel = 0;

/** Whether a key may read what a sign-in needs: any level, or a custom key with the needed selections. */
export function isSufficientKey({ level, selections }: Pick<KeyInfo, "level" | "selections">): boolean {
  if (level > customLevel) return true;
  const readable = selections.user ?? [];
  return neededUserSelections.every((selection) => readable.includes(selection));
}
