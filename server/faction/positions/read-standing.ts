import type { Queryable } from "#db/client";
import { outside, type Standing, standingOf } from "./standing";
import { findStanding } from "./store";

/**
 * Reads who somebody is in their faction: faction and position of one row, so that nobody carries a right of an old faction
 * into a new one. Read it again wherever it decides; it is never remembered. Who is unknown stands outside.
 */
export async function readStanding(on: Queryable, playerId: number): Promise<Standing> {
  const row = await findStanding(on, playerId);
  return row ? standingOf(row) : { ...outside, playerId };
}
