import { and, eq, exists, isNotNull, isNull, lt, or, type SQL, sql } from "drizzle-orm";
import type { Queryable } from "#db/client";
import {
  accounts,
  gameKeys,
  isWorkingKey,
  mayReadFaction,
  mayReadSelections,
} from "#db/schema/accounts";
import { factionPositions, holdsPosition } from "#db/schema/faction";
import { factions, players } from "#db/schema/players";
import { secondMs } from "#server/platform/time";
import { type SyncKind, syncSchedules } from "./sync-schedules";

const attemptField = {
  members: "lastAttempt",
  positions: "positionsAttempt",
  attacks: "attacksAttempt",
  crimes: "crimesAttempt",
} as const satisfies Record<SyncKind, keyof typeof factions.$inferInsert>;

/** Call it before the attempt, so that a failing faction does not block the queue. */
export async function noteSyncAttempt(
  on: Queryable,
  factionId: number,
  tried: { sync: SyncKind; at: Date },
) {
  await on
    .update(factions)
    .set({ [attemptField[tried.sync]]: tried.at })
    .where(eq(factions.id, factionId));
}

export async function findLastSyncs(on: Queryable, factionId: number) {
  const [row] = await on
    .select({ attacks: factions.attacksAttempt, crimes: factions.crimesAttempt })
    .from(factions)
    .where(eq(factions.id, factionId));
  return row ?? { attacks: null, crimes: null };
}

/**
 * Lists due factions in which a member's working key may read the data, longest untried first.
 * @param asked.keyIds ids of the server secrets in force
 */
export async function listDueFactions(
  on: Queryable,
  {
    sync,
    now,
    limit,
    keyIds,
  }: { sync: SyncKind; now: Date; limit: number; keyIds: readonly string[] },
): Promise<number[]> {
  const { access, reads } = syncSchedules[sync];
  const withKey = on
    .select({ one: sql`1` })
    .from(players)
    .innerJoin(gameKeys, eq(gameKeys.playerId, players.id))
    .innerJoin(accounts, eq(accounts.id, gameKeys.accountId))
    .where(
      and(
        eq(players.factionId, factions.id),
        isWorkingKey(keyIds),
        access === "faction" ? mayReadFaction : undefined,
        mayReadSelections(reads),
      ),
    );
  const longestUntried = sql`${factions[attemptField[sync]]} asc nulls first, ${factions.id} asc`;
  // OFFSET keeps the index order, so that the scan stops at the limit.
  const rows = await on
    .select({ id: sql<number>`${factions.id}` })
    .from(sql`(select * from ${factions} order by ${longestUntried} offset 0) as ${factions}`)
    .where(and(isDue(on, sync, now), sql`exists (${withKey} offset 0)`))
    .orderBy(longestUntried)
    .limit(limit);
  return rows.map(({ id }) => id);
}

export async function isSyncDue(
  on: Queryable,
  factionId: number,
  asked: { sync: SyncKind; now: Date },
) {
  const rows = await on
    .select({ id: factions.id })
    .from(factions)
    .where(and(eq(factions.id, factionId), isDue(on, asked.sync, asked.now)));
  return rows.length > 0;
}

function isDue(on: Queryable, sync: SyncKind, now: Date): SQL | undefined {
  const attempt = factions[attemptField[sync]];
  const untried = (seconds: number) => lt(attempt, new Date(now.getTime() - seconds * secondMs));
  const old = untried(syncSchedules[sync].everySeconds);
  if (sync === "positions")
    return or(
      isNull(attempt),
      old,
      and(untried(syncSchedules.positions.soonSeconds), holdsUnknownPosition(on)),
    );
  if (sync === "crimes")
    return or(
      isNull(attempt),
      and(old, or(factions.crimesMigrated, untried(syncSchedules.crimes.unmigratedSeconds))),
    );
  return or(isNull(attempt), old);
}

function holdsUnknownPosition(on: Queryable): SQL {
  return exists(
    on
      .select({ one: sql`1` })
      .from(players)
      .leftJoin(factionPositions, holdsPosition)
      .where(
        and(
          eq(players.factionId, factions.id),
          isNotNull(players.positionName),
          isNull(factionPositions.id),
        ),
      ),
  );
}
