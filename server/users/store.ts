import {
  and,
  asc,
  desc,
  eq,
  exists,
  inArray,
  isNotNull,
  isNull,
  lt,
  lte,
  ne,
  not,
  or,
  sql,
} from "drizzle-orm";
import type { Database, Queryable } from "#db/client";
import { excludedValuesIfKnown, nameKey, nameStarts } from "#db/expressions";
import { accounts, gameKeys, switchColumns } from "#db/schema/accounts";
import { factions, ownPlayerColumns, players } from "#db/schema/players";
import { battleStats, personalStats } from "#db/schema/stats";
import { columnsOf, first, hasRows } from "#db/select";
import type { Sweep } from "#db/sweep";
import { daySeconds } from "#server/platform/time";
import type { FourStats, Player, PlayerFaction, PlayerRecord, PlayerSighting } from "./player";

export function findOwnPlayer(
  database: Database,
  playerId: number,
): Promise<PlayerRecord | undefined> {
  const statement = database.statement("own_player", ({ keyPool }) =>
    keyPool
      .select(ownPlayerColumns)
      .from(players)
      .where(eq(players.id, sql.placeholder("id")))
      .prepare("own_player"),
  );
  return first(statement.execute({ id: playerId }));
}

export async function findPlayer(
  database: Database,
  playerId: number,
): Promise<Player | undefined> {
  const statement = database.statement("player", ({ keyPool }) =>
    keyPool
      .select({
        playerId: players.id,
        ...columnsOf(players, ["name", "level", "chatId", "lastAction", "lastRefresh"]),
        factionId: players.factionId,
        factionName: factions.name,
      })
      .from(players)
      .leftJoin(factions, eq(factions.id, players.factionId))
      .where(eq(players.id, sql.placeholder("id")))
      .prepare("player"),
  );
  const row = await first(statement.execute({ id: playerId }));
  if (!row) return undefined;
  const { factionId, factionName, ...rest } = row;
  return { ...rest, faction: factionId === null ? null : { factionId, name: factionName ?? "" } };
}

/**
 * Call it before the attempt, so that failures do not block the queue, but not in a transaction:
 * locking the player before the key can deadlock.
 */
export async function noteRefreshAttempt(on: Queryable, playerId: number, at: Date): Promise<void> {
  await on.update(players).set({ lastAttempt: at }).where(eq(players.id, playerId));
  await on.update(gameKeys).set({ ownerAttempt: at }).where(eq(gameKeys.playerId, playerId));
}

/**
 * Call it in a transaction. A newer stored sighting wins. A change of faction ends faction API
 * access in the same statement.
 * @returns the faction before; empty for a new player
 */
export async function savePlayer(tx: Queryable, seen: PlayerSighting): Promise<PlayerFaction[]> {
  if (seen.chatId !== null) await takeChatId(tx, seen.chatId, seen.playerId);
  const before = await tx
    .select({ playerId: players.id, factionId: players.factionId })
    .from(players)
    .where(eq(players.id, seen.playerId))
    .for("update");
  const { playerId: id, at, factionApiAccess, ...rest } = seen;
  const sighting = { ...rest, factionSeen: at, lastRefresh: at, lastAttempt: at };
  await tx
    .insert(players)
    .values({
      id,
      ...sighting,
      factionApiAccess: factionApiAccess ?? false,
      factionSince: at,
      positionSince: at,
    })
    .onConflictDoUpdate({
      target: players.id,
      set: {
        ...sighting,
        ...excludedValuesIfKnown(players, ["name", "level", "signedUp", "status", "lastAction"]),
        factionApiAccess: factionApiAccess ?? factionAccessOnUpsert,
        positionName: knownPosition,
        ...sinceOnUpsert,
      },
      setWhere: isNewestSighting,
    });
  return before;
}

const sameFaction = sql`${players.factionId} is not distinct from excluded.faction_id`;
/** In an upsert, access survives only within the same faction. */
export const factionAccessOnUpsert = sql<boolean>`${players.factionApiAccess} and ${sameFaction}`;
/** Within the same faction, an unknown position does not replace the stored position. */
const knownPosition = sql<string>`case when ${sameFaction} then coalesce(excluded.position_name, ${players.positionName}) else excluded.position_name end`;
const samePosition = sql`${sameFaction} and ${players.positionName} is not distinct from ${knownPosition}`;

export const sinceOnUpsert = {
  factionSince: sql<Date>`case when ${sameFaction} then ${players.factionSince} else excluded.faction_since end`,
  positionSince: sql<Date>`case when ${samePosition} then ${players.positionSince} else excluded.position_since end`,
};

/** In an upsert, true unless the stored sighting is newer. */
export const isNewestSighting = or(
  isNull(players.factionSeen),
  lte(players.factionSeen, sql`excluded.faction_seen`),
);

/**
 * A chat id belongs to one player, so its previous holder loses it. The lock serialises writers of
 * the id.
 */
async function takeChatId(tx: Queryable, chatId: bigint, playerId: number): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`chat ${chatId}`}, 0))`);
  // Players are locked in order of ids, to avoid deadlocks.
  const concerned = await tx
    .select({ id: players.id })
    .from(players)
    .where(or(eq(players.chatId, chatId), eq(players.id, playerId)))
    .orderBy(asc(players.id))
    .for("update");
  if (concerned.every(({ id }) => id === playerId)) return;
  await tx
    .update(players)
    .set({ chatId: null })
    .where(and(eq(players.chatId, chatId), ne(players.id, playerId)));
}

export async function noteFaction(
  on: Queryable,
  faction: { id: number; name: string },
): Promise<void> {
  await on
    .insert(factions)
    .values(faction)
    .onConflictDoUpdate({ target: factions.id, set: excludedValuesIfKnown(factions, ["name"]) });
}

export const endFactionAccess = (on: Queryable, playerId: number): Promise<boolean> =>
  hasRows(
    on
      .update(players)
      .set({ factionApiAccess: false })
      .where(and(eq(players.id, playerId), eq(players.factionApiAccess, true)))
      .returning(columnsOf(players, ["id"])),
  );

export type DuePlayer = Awaited<ReturnType<typeof listDuePlayers>>[number];

/**
 * Lists key owners first, then members of factions with a working key, each longest untried first.
 */
export async function listDuePlayers(
  on: Queryable,
  bounds: { ownersBefore: Date; membersBefore: Date; limit: number },
) {
  const { ownersBefore, membersBefore, limit } = bounds;
  const columns = { playerId: players.id, ...columnsOf(players, ["factionId", "lastAttempt"]) };

  // Few players own a key, so the join starts from the keys.
  const owners = await on
    .select(columns)
    .from(gameKeys)
    .innerJoin(accounts, eq(accounts.id, gameKeys.accountId))
    .innerJoin(players, eq(players.id, gameKeys.playerId))
    .where(
      and(
        isActive,
        lt(gameKeys.ownerAttempt, ownersBefore),
        isNull(accounts.bannedAt),
        untriedSince(ownersBefore),
        isFirstOfOwner,
      ),
    )
    .orderBy(asc(gameKeys.ownerAttempt), asc(gameKeys.playerId))
    .limit(limit);
  const due = owners.map((owner) => ({ ...owner, ownsKey: true }));
  if (due.length === limit) return due;

  const ownsKey = exists(
    on
      .select(columnsOf(gameKeys, ["playerId"]))
      .from(gameKeys)
      .innerJoin(accounts, eq(accounts.id, gameKeys.accountId))
      .where(
        and(
          eq(gameKeys.playerId, players.id),
          eq(gameKeys.state, "active"),
          isNull(accounts.bannedAt),
        ),
      ),
  );
  const reachable = on
    .select(columnsOf(players, ["factionId"]))
    .from(players)
    .where(and(isNotNull(players.factionId), ownsKey));
  const members = await on
    .select(columns)
    .from(players)
    .where(and(inArray(players.factionId, reachable), untriedSince(membersBefore), not(ownsKey)))
    .orderBy(sql`${players.lastAttempt} asc nulls first`, asc(players.id))
    .limit(limit - due.length);
  return [...due, ...members.map((member) => ({ ...member, ownsKey: false }))];
}

/** Literal, so that the planner matches the partial index. */
const isActive = sql`${gameKeys.state} = 'active'`;

/** Lists an owner with several keys only once. */
const isFirstOfOwner = sql`not exists (select from ${gameKeys} as other where other.player_id = ${gameKeys.playerId}
  and other.state = 'active' and other.id < ${gameKeys.id})`;

const untriedSince = (before: Date) =>
  or(isNull(players.lastAttempt), lt(players.lastAttempt, before));

export const listPlayersByName = (on: Queryable, nameStart: string, limit: number) =>
  on
    .select({
      playerId: players.id,
      ...columnsOf(players, ["name", "level", "lastAction"]),
      factionName: factions.name,
    })
    .from(players)
    .leftJoin(factions, eq(factions.id, players.factionId))
    .where(nameStarts(players.name, nameStart))
    .orderBy(nameKey(players.name), asc(players.id))
    .limit(limit);

export type SwitchName = keyof typeof switchColumns;

/** An existing account keeps its id. The player must be stored. */
export async function ensureAccount(
  on: Queryable,
  made: { id: string; playerId: number; createdAt: Date },
): Promise<{ accountId: string; bannedAt: Date | null }> {
  await on.insert(accounts).values(made).onConflictDoNothing({ target: accounts.playerId });
  const account = await first(
    on
      .select({ accountId: accounts.id, bannedAt: accounts.bannedAt })
      .from(accounts)
      .where(eq(accounts.playerId, made.playerId)),
  );
  if (!account)
    throw new Error(`The account of player ${made.playerId} vanished while it was made.`);
  return account;
}

export function findAccountSwitches(database: Database, accountId: string) {
  const statement = database.statement("switches", ({ query }) =>
    query
      .select(switchColumns)
      .from(accounts)
      .where(eq(accounts.id, sql.placeholder("accountId")))
      .prepare("switches"),
  );
  return first(statement.execute({ accountId }));
}

/** @returns false if the switch already had this value */
export const setAccountSwitch = (
  on: Queryable,
  accountId: string,
  { name, value }: { name: SwitchName; value: boolean },
): Promise<boolean> =>
  hasRows(
    on
      .update(accounts)
      .set({ [name]: value })
      .where(and(eq(accounts.id, accountId), ne(switchColumns[name], value)))
      .returning(columnsOf(accounts, ["id"])),
  );

export async function saveBattleStats(
  tx: Queryable,
  seen: FourStats & { playerId: number; score: number; at: Date },
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
  seen: { playerId: number; day: string; counters: Record<string, number | null>; at: Date },
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
  const oldestKept = await first(
    tx
      .select(columnsOf(personalStats, ["day"]))
      .from(personalStats)
      .where(own)
      .orderBy(desc(personalStats.day))
      .limit(1)
      .offset(daysKept - 1),
  );
  if (oldestKept)
    await tx.delete(personalStats).where(and(own, lt(personalStats.day, oldestKept.day)));
}

/**
 * Counters of inactive players are kept for a year, because an old estimate is better than none.
 */
const countersKept = 365 * daySeconds;

export const userSweeps: readonly Sweep[] = [
  { table: personalStats, column: personalStats.day, keep: countersKept },
];
