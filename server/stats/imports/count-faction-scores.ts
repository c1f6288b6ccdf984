import type { Queryable } from "#db/client";
import { countOwnScores } from "./store";

/** How many players' scores a faction keeps for itself, and when the newest of them was seen. For its members alone. */
export const countFactionScores = (on: Queryable, factionId: number) => countOwnScores(on, factionId);
