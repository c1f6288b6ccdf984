/** What a player's rows are used for. All rows of a player go the same way, or the test would know its answers. */
export type Split = "train" | "validation" | "test";

/** 70, 15 and 15 of a hundred players, by a hash of the id alone: the same in every training. */
export function splitOf(playerId: number): Split {
  let hash = Math.imul(playerId ^ 0x9e3779b9, 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  const share = ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32;
  return share < 0.7 ? "train" : share < 0.85 ? "validation" : "test";
}
