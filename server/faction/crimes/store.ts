import { asc, gte, max, sql } from "drizzle-orm";
import type { Queryable } from "#db/client";
import { excluded } from "#db/excluded";
import { crimeTypes } from "#db/schema/players";

export interface SeenCrimeType {
  readonly name: string;
  readonly difficulty: number;
  readonly slots: number;
}

/** A type that one answer of the game lacks is not gone yet: it stays listed for a day after it was last seen. */
const graceInterval = sql`interval '1 day'`;

/** The names of all organized crimes that the game knows, easier ones first. */
export async function listCrimeNames(on: Queryable): Promise<string[]> {
  const newest = on.select({ at: sql`max(${crimeTypes.lastSeen}) - ${graceInterval}` }).from(crimeTypes);
  const rows = await on
    .select({ name: crimeTypes.name })
    .from(crimeTypes)
    .where(gte(crimeTypes.lastSeen, sql`(${newest})`))
    .orderBy(asc(crimeTypes.difficulty), asc(crimeTypes.name));
  return rows.map(({ name }) => name);
}

/** When the types were last read; null where they never were. */
export async function findNewestSighting(on: Queryable): Promise<Date | null> {
  const [row] = await on.select({ at: max(crimeTypes.lastSeen) }).from(crimeTypes);
  return row?.at ?? null;
}

export async function saveCrimeTypes(on: Queryable, types: readonly SeenCrimeType[], at: Date): Promise<void> {
  if (types.length === 0) return;
  await on
    .insert(crimeTypes)
    .values(types.map((type) => ({ ...type, lastSeen: at })))
    .onConflictDoUpdate({
      target: crimeTypes.name,
      set: {
        ...excluded(crimeTypes, ["difficulty", "slots", "lastSeen"]),
      },
    });
}
