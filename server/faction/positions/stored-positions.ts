import { everyAbility } from "./abilities";

/** A position as the game names it. */
export interface PositionText {
  readonly name: string;
  readonly isDefault: boolean;
  readonly abilities: readonly string[];
}

/** They exist in every faction, and the game does not list them. */
const always: readonly PositionText[] = [
  { name: "Leader", isDefault: false, abilities: everyAbility },
  { name: "Co-leader", isDefault: false, abilities: everyAbility },
  { name: "Recruit", isDefault: false, abilities: [] },
];

/** All positions of a faction, each name once: those that the game lists, and those that every faction has. */
export function storedPositions(listed: readonly PositionText[]): PositionText[] {
  const byName = new Map([...listed, ...always].map((position) => [position.name, position]));
  return [...byName.values()];
}
