import { battleStats, type statEntries } from "#db/schema/stats";
import type { Context } from "#server/context";
import { insertEntries, saveLatest } from "#server/stats/entries/store";

export async function mintScore(ctx: Context, playerId: number, score: number): Promise<void> {
  const quarter = Math.round((score / 4) ** 2);
  const four = { strength: quarter, defense: quarter, speed: quarter, dexterity: quarter };
  const row = { playerId, ...four, score, at: ctx.now() };
  await ctx.database.query
    .insert(battleStats)
    .values(row)
    .onConflictDoUpdate({ target: battleStats.playerId, set: row });
}

/** `visibleTo` is 0 for a public entry, else a faction. */
export async function mintEntry(
  ctx: Context,
  fields: { playerId: number; score: number } & Partial<typeof statEntries.$inferInsert>,
): Promise<void> {
  const entry = {
    ...{
      visibleTo: 0,
      timeAdded: ctx.now(),
      sigma: 0.01,
      fairFight: null,
      lowerBound: false,
      source: "fight" as const,
    },
    ...{ attackCode: null, contributorId: null },
    ...fields,
  };
  await ctx.database.transaction(async (tx) => saveLatest(tx, await insertEntries(tx, [entry])));
}
