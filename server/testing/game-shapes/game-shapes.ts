import type { z } from "zod";
import { factionShapes } from "./faction";
import { keyShapes } from "./key";
import { marketShapes, tornShapes } from "./torn";
import { userShapes } from "./user";

/*
 * Strict shapes from the game's documentation, written by hand and independent of the product's own
 * contract, so that one misreading cannot hide in both.
 */

/** By section and selection: the whole answer of a single selection. */
export const gameShapes: Readonly<Record<string, Readonly<Record<string, z.ZodType>>>> = {
  key: keyShapes,
  user: userShapes,
  faction: factionShapes,
  torn: tornShapes,
  market: marketShapes,
};
