import type { z } from "zod";
import { factionShapes } from "./faction";
import { keyShapes } from "./key";
import { marketShapes, tornShapes } from "./torn";
import { userShapes } from "./user";

/*
 * The answers of the game's API as its documentation describes them, written by hand and strict: a field too many, too few or of
 * another type is a fault. They know nothing of the product's own contract, so that one misreading cannot hide in both.
 */

/** Of each section and selection the whole answer when it is asked for alone. */
export const gameShapes: Readonly<Record<string, Readonly<Record<string, z.ZodType>>>> = {
  key: keyShapes,
  user: userShapes,
  faction: factionShapes,
  torn: tornShapes,
  market: marketShapes,
};
