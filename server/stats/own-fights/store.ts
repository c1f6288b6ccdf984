import { and, asc, eq, exists, gte, isNotNull, isNull, lt, ne, or, sql } from "drizzle-orm";
import type { Queryable } from "#db/client";
import { accounts, gameKeys } from "#db/schema/accounts";
import { factions, players } from "#db/schema/players";

/** A player who lets their fights be read. */
export interface FightSharer {
  readonly playerId: number;
  readonly lastAttempt: Date | null;
}

/** Of a lower level a key does not read fights. */
const fightsFromLevel = 3;

/**
 * Players who let their fights be read, whose faction nobody else reads them for and has not turned scores off, and who were not
 * tried since; the longest untried first.
 */
export async function listDueSharers(
  on: Queryable,
  { triedBefore, limit }: { triedBefore: Date; limit: number },
): Promise<FightSharer[]> {
  const working = and(eq(gameKeys.state, "active"), isNotNull(gameKeys.sealed));
  const ownKey = on
    .select({ one: sql`1` })
    .from(gameKeys)
    .where(and(eq(gameKeys.accountId, accounts.id), working, gte(gameKeys.level, fightsFromLevel)));
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
        // With the offset it is asked of one player after the other, only until there are enough.
        sql`not exists (${factionKey} offset 0)`,
      ),
    )
    .orderBy(sql`${accounts.attacksAttempt} asc nulls first`, asc(accounts.id))
    .limit(limit);
}

/** Notes that a player's fights are being asked for. @returns the end of the newest one that was read */
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

/** Moves on where the next reading of a player's fights begins; never back. */
export async function advanceFightsSeen(
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
 * Who may see what a player's fights tell, at this moment: their faction decides, where they have one, and until it does the faction
 * alone. Undefined where they do not let them be read any more.
 */
export async function findFightSharing(tx: Queryable, playerId: number) {
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
