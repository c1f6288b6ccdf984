import { and, desc, eq, lt, lte, sql } from "drizzle-orm";
import type { Queryable } from "#db/client";
import { battleStats, personalStats } from "#db/schema/stats";
import type { Sweep } from "#db/sweep";
import { daySeconds } from "#server/platform/time";
import type { FourStats } from "./player";

export async function saveBattleStats(
  tx: Queryable,
  seen: FourStats & { readonly playerId: number; readonly score: number; readonly at: Date },
): Promise<void> {
  const { playerId: _, ...set } = seen;
  await tx
    .insert(battleStats)
    .values(seen)
    .onConflictDoUpdate({
      target: battleStats.playerId,
      set,
      setWhere: lte(battleStats.at, sql`excluded.at`),
    });
}

const daysKept = 2;

export async function savePersonalStats(
  tx: Queryable,
  seen: {
    readonly playerId: number;
    readonly day: string;
    readonly counters: Record<string, number | null>;
    readonly at: Date;
  },
): Promise<void> {
  const { playerId, day, ...set } = seen;
  await tx
    .insert(personalStats)
    .values(seen)
    .onConflictDoUpdate({
      target: [personalStats.playerId, personalStats.day],
      set,
      setWhere: lte(personalStats.at, sql`excluded.at`),
    });
  const own = eq(personalStats.playerId, playerId);
  const newest = tx
    .select({ day: personalStats.day })
    .from(personalStats)
    .where(own)
    .orderBy(desc(personalStats.day));
  const [oldestKept] = await newest.limit(1).offset(daysKept - 1);
  if (oldestKept)
    await tx.delete(personalStats).where(and(own, lt(personalStats.day, oldestKept.day)));
}

/** Retention of the newest days of inactive players: an old estimate is better than none. */
const countersKept = 365 * daySeconds;

export const userSweeps: readonly Sweep[] = [
  { table: personalStats, column: personalStats.day, keep: countersKept },
];
