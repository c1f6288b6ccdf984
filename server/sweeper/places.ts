import { z } from "zod";
import type { Queryable } from "#db/client";
import { changeFact, findFact } from "#server/facts/store";

/** The page that each walk comes to next, by the walk's name. */
export type Places = Readonly<Record<string, number>>;

const Stored = z.record(z.string(), z.int().nonnegative());
const fact = "swept-to";

/** Where the last run stopped, on whatever instance that was. */
export async function findPlaces(on: Queryable): Promise<Places> {
  return Stored.parse(JSON.parse((await findFact(on, fact)) ?? "{}"));
}

/** Remembers where a run stopped. In small tables that is where it began, and nothing is written. */
export async function keepPlaces(on: Queryable, former: Places, places: Places): Promise<void> {
  const moved = Object.entries(places).some(([name, page]) => page !== (former[name] ?? 0));
  if (moved) await changeFact(on, fact, JSON.stringify(places));
}
