/**
 * What the sum of a player's four battle stats can be, from their score: least where all four are equal, which no build goes
 * below; most as builds are in practice, which a very lopsided one exceeds.
 */
export const totalRange = (score: number): { readonly min: number; readonly max: number } => ({
  min: Math.floor(score ** 2 / 4),
  max: Math.floor(score ** 2 / 2.75),
});
