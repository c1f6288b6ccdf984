/** The four battle stats of a player, without what drugs and buildings add. */
export interface FourStats {
  readonly strength: number;
  readonly defense: number;
  readonly speed: number;
  readonly dexterity: number;
}

/** One number for a player's strength, which hides the build: the sum of the four square roots. */
export const statScore = ({ strength, defense, speed, dexterity }: FourStats): number =>
  Math.sqrt(strength) + Math.sqrt(defense) + Math.sqrt(speed) + Math.sqrt(dexterity);
