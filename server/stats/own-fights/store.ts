import { and, asc, eq, exists, isNotNull, isNull, lt, ne, or, sql } from "drizzle-orm";
import type { Queryable } from "#db/client";
import { accounts, gameKeys, mayReadOwn, mayReadSelections } from "#db/schema/accounts";
import { factions, players } from "#db/schema/players";

/** Leaves out players in factions with a key that reads the faction's attacks. */
export async function listDueSharers(
  on: Queryable,
  {
    triedBefore,
    limit,
    reads,
    readsOfFaction,
  }: {
    triedBefore: Date;
    limit: number;
    /** Selections for the player's own fights. */
    reads: readonly string[];
    readsOfFaction: readonly string[];
  },
) {
  const working = and(eq(gameKeys.state, "active"), isNotNull(gameKeys.sealed));
  const ownKey = on
    .select({ one: sql`1` })
    .from(gameKeys)
    .where(and(eq(gameKeys.accountId, accounts.id), working, mayReadOwn(reads)));
  const reader = sql`reader`;
  const factionKey = on
    .select({ one: sql`1` })
    .from(gameKeys)
    .innerJoin(sql`${players} as ${reader}`, sql`${reader}.id = ${gameKeys.playerId}`)
    .innerJoin(
      sql`${accounts} as owner`,
      sql`owner.id = ${gameKeys.accountId} and owner.banned_at is null`,
    )
    .where(
      and(
        sql`${reader}.faction_id = ${players.factionId} and ${reader}.faction_api_access`,
        eq(gameKeys.factionApiAccess, true),
        mayReadSelections(readsOfFaction),
        working,
      ),
    );
  return on
    .select({ playerId: accounts.playerId, lastAttempt: accounts.attacksAttempt })
    .from(accounts)
    .innerJoin(players, eq(players.id, accounts.playerId))
    .leftJoin(factions, eq(factions.id, players.factionId))
    .where(
      and(
        eq(accounts.sharesOpponentStats, true),
        isNull(accounts.bannedAt),
        or(isNull(accounts.attacksAttempt), lt(accounts.attacksAttempt, triedBefore)),
        or(isNull(factions.statSharing), ne(factions.statSharing, "off")),
        exists(ownKey),
        // OFFSET forces a check per player, which stops at the limit.
        sql`not exists (${factionKey} offset 0)`,
      ),
    )
    .orderBy(sql`${accounts.attacksAttempt} asc nulls first`, asc(accounts.id))
    .limit(limit);
}

/**
 * Call it before the attempt, so that failures do not block the queue.
 * @returns the end of the newest fight read
 */
export async function noteFightsAttempt(
  on: Queryable,
  playerId: number,
  at: Date,
): Promise<Date | null> {
  const [row] = await on
    .update(accounts)
    .set({ attacksAttempt: at })
    .where(eq(accounts.playerId, playerId))
    .returning({ seen: accounts.attacksSeen });
  return row?.seen ?? null;
}

export async function advanceFightWatermark(
  tx: Queryable,
  playerId: number,
  seen: Date,
): Promise<void> {
  await tx
    .update(accounts)
    .set({ attacksSeen: seen })
    .where(
      and(
        eq(accounts.playerId, playerId),
        or(isNull(accounts.attacksSeen), lt(accounts.attacksSeen, seen)),
      ),
    );
}

/**
 * The faction's choice applies; without a faction, scores are public. Undefined once consent ended.
 */
export async function findFightAudience(tx: Queryable, playerId: number) {
  const [row] = await tx
    .select({ factionId: players.factionId, sharing: factions.statSharing })
    .from(accounts)
    .innerJoin(players, eq(players.id, accounts.playerId))
    .leftJoin(factions, eq(factions.id, players.factionId))
    .where(and(eq(accounts.playerId, playerId), eq(accounts.sharesOpponentStats, true)));
  if (!row) return undefined;
  const { factionId, sharing } = row;
  return {
    factionId,
    sharing: sharing ?? (factionId === null ? ("everybody" as const) : ("faction" as const)),
  };
}
