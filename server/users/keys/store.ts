import { and, asc, desc, eq, gte, inArray, isNull, lt, ne, type SQL, sql } from "drizzle-orm";
import type { Queryable } from "#db/client";
import {
  accounts,
  gameKeys,
  isSealedUnder,
  isWorkingKey,
  mayReadAll,
  readsFaction,
} from "#db/schema/accounts";
import { players } from "#db/schema/players";
import type { KeyInfo } from "#server/game/contract/user";

/** A key as stored, still sealed. */
export interface SealedKey {
  readonly id: string;
  readonly playerId: number;
  readonly sealed: string;
  readonly level: number;
  /** Of a custom key; null where they are not known. */
  readonly selections: readonly string[] | null;
  readonly lastOkAt: Date | null;
}

/** A query for keys: of these players, and only those that may read these selections. */
export type KeyQuery = { readonly reads?: readonly string[] } & (
  | { readonly of: "player"; readonly playerId: number }
  /** Any member's, for what the game shows of the faction to everybody. */
  | { readonly of: "members"; readonly factionId: number }
  /** Only members who may read the faction's private data. */
  | { readonly of: "faction"; readonly factionId: number }
  /**
   * Any of a player who lends it, or of an administrator, for what the game shows to everybody. Of very many lenders some are
   * looked at, from an account's place in the order of ids on.
   */
  | { readonly of: "lenders"; readonly administrators: readonly number[]; readonly from: string }
);

/** As many as are worth choosing from. */
const mostChoices = 50;

/** The text is null in rows of wiped keys; queries of this leave them out. */
const sealedKey = {
  id: gameKeys.id,
  playerId: gameKeys.playerId,
  sealed: sql<string>`${gameKeys.sealed}`,
  level: gameKeys.level,
  selections: gameKeys.selections,
  lastOkAt: gameKeys.lastOkAt,
};

/**
 * Working keys of accounts in good standing, stronger ones first, then the older.
 * @param keyIds of the server secrets in force
 */
export async function listWorkingKeys(
  on: Queryable,
  query: KeyQuery,
  keyIds: readonly string[],
): Promise<SealedKey[]> {
  return on
    .select(sealedKey)
    .from(gameKeys)
    .innerJoin(accounts, eq(accounts.id, gameKeys.accountId))
    .innerJoin(players, eq(players.id, gameKeys.playerId))
    .where(and(isWorkingKey(keyIds), fits(query), query.reads && mayReadAll(query.reads)))
    .orderBy(sql`${gameKeys.level} >= 3 desc`, asc(gameKeys.createdAt), asc(gameKeys.id))
    .limit(mostChoices);
}

function fits(query: KeyQuery): SQL | undefined {
  switch (query.of) {
    case "player":
      return eq(gameKeys.playerId, query.playerId);
    case "members":
      return eq(players.factionId, query.factionId);
    case "faction":
      return and(eq(players.factionId, query.factionId), readsFaction);
    case "lenders":
      return inArray(accounts.id, lendersFrom(query));
  }
}

/** Lenders in a circle of ids, and administrators. Found by account: a few may lend among very many who do not. */
function lendersFrom({ administrators, from }: Extract<KeyQuery, { of: "lenders" }>): SQL {
  const some = (place: SQL) => sql`(select ${accounts.id} from ${accounts}
    where ${accounts.lendsKey} and ${isNull(accounts.bannedAt)} and ${place} order by ${accounts.id} limit ${mostChoices})`;
  const parts = [some(gte(accounts.id, from)), some(lt(accounts.id, from))];
  if (administrators.length > 0)
    parts.push(
      sql`(select ${accounts.id} from ${accounts} where ${inArray(accounts.playerId, [...administrators])})`,
    );
  return sql`(${sql.join(parts, sql` union all `)})`;
}

/**
 * Keys that the game refused for a reason that may pass, those that worked longest ago last.
 * `keyIds` are those of the server secrets in force.
 */
export async function listRestingKeys(
  on: Queryable,
  {
    states,
    keyIds,
    limit,
  }: { states: readonly ("paused" | "disabled")[]; keyIds: readonly string[]; limit: number },
): Promise<SealedKey[]> {
  return on
    .select(sealedKey)
    .from(gameKeys)
    .innerJoin(accounts, eq(accounts.id, gameKeys.accountId))
    .where(
      and(inArray(gameKeys.state, [...states]), isSealedUnder(keyIds), isNull(accounts.bannedAt)),
    )
    .orderBy(desc(gameKeys.lastOkAt), asc(gameKeys.id))
    .limit(limit);
}

/** A row of the same key, by its HMAC under any secret in force. Locked until the transaction ends. */
export async function findKeyForUpdate(tx: Queryable, keyHmacs: readonly string[]) {
  const [row] = await tx
    .select({ id: gameKeys.id, accountId: gameKeys.accountId })
    .from(gameKeys)
    .where(inArray(gameKeys.keyHmac, [...keyHmacs]))
    .for("update");
  return row;
}

export async function isKeyStored(on: Queryable, keyHmacs: readonly string[]): Promise<boolean> {
  const rows = await on
    .select({ id: gameKeys.id })
    .from(gameKeys)
    .where(inArray(gameKeys.keyHmac, [...keyHmacs]));
  return rows.length > 0;
}

const lastAttemptOf = (playerId: number) =>
  sql`(select ${players.lastAttempt} from ${players} where ${players.id} = ${playerId})`;

/** @returns false where the same key was stored by somebody else at the same moment */
export async function insertKey(
  tx: Queryable,
  row: typeof gameKeys.$inferInsert,
): Promise<boolean> {
  const inserted = await tx
    .insert(gameKeys)
    .values({ ...row, ownerAttempt: sql`coalesce(${lastAttemptOf(row.playerId)}, '-infinity')` })
    .onConflictDoNothing({ target: gameKeys.keyHmac })
    .returning({ id: gameKeys.id });
  return inserted.length > 0;
}

export async function updateKey(
  on: Queryable,
  id: string,
  change: Partial<typeof gameKeys.$inferInsert>,
): Promise<void> {
  await on.update(gameKeys).set(change).where(eq(gameKeys.id, id));
}

/**
 * Puts a key out of use. Only a change of state counts: of many calls that fail together one tells the owner.
 * @returns owner and last four characters, or undefined where the key was in that state already
 */
export async function restKey(
  on: Queryable,
  id: string,
  to: { state: "dead" | "paused" | "disabled"; lastError: string },
) {
  const [row] = await on
    .update(gameKeys)
    .set({ ...to, ...(to.state === "dead" ? { sealed: null } : {}) })
    .where(and(eq(gameKeys.id, id), ne(gameKeys.state, to.state), ne(gameKeys.state, "dead")))
    .returning({ accountId: gameKeys.accountId, lastFour: gameKeys.lastFour });
  return row;
}

/**
 * Notes what a key proved unable to do, while it stays in use. Of many calls that fail alike one tells the owner.
 * @returns owner and last four characters, or undefined where it was noted already
 */
export async function noteKeyError(
  on: Queryable,
  id: string,
  note: { lastError: string; factionApiAccess?: false },
) {
  const [row] = await on
    .update(gameKeys)
    .set(note)
    .where(and(eq(gameKeys.id, id), sql`${gameKeys.lastError} is distinct from ${note.lastError}`))
    .returning({ accountId: gameKeys.accountId, lastFour: gameKeys.lastFour });
  return row;
}

/** The key answered: a resting one is back in use. That one was too weak for faction data is not forgotten. */
export async function wakeKey(on: Queryable, id: string, at: Date): Promise<void> {
  await on
    .update(gameKeys)
    .set({
      state: "active",
      lastOkAt: at,
      lastError: sql`case when ${gameKeys.lastError} = 'access-level' then ${gameKeys.lastError} end`,
    })
    .where(and(eq(gameKeys.id, id), ne(gameKeys.state, "dead")));
}

/** The columns that say what a key may read, from key info. */
export const rightsOf = ({ level, type, selections, factionApiAccess }: KeyInfo) => ({
  level,
  type,
  factionApiAccess,
  selections: level === 0 ? flatten(selections) : null,
});

const flatten = (selections: KeyInfo["selections"]): string[] =>
  Object.entries(selections).flatMap(([section, names]) =>
    names.map((name) => `${section}/${name}`),
  );

/**
 * Keeps what key info said. A key that proved too weak for faction data stays so until its level changes; of a custom key its
 * selections say so.
 * @returns whether the key is still stored
 */
export async function noteKeyInfo(on: Queryable, id: string, info: KeyInfo): Promise<boolean> {
  const { level, type, selections, factionApiAccess } = rightsOf(info);
  const noted = await on
    .update(gameKeys)
    .set({
      ...{ level, type, selections },
      factionApiAccess: sql`${factionApiAccess} and (${level === 0} or not (coalesce(${gameKeys.lastError}, '') = 'access-level' and ${gameKeys.level} = ${level}))`,
    })
    .where(eq(gameKeys.id, id))
    .returning({ id: gameKeys.id });
  return noted.length > 0;
}

/** Owner and last four characters of a key, for a notice. */
export async function findKeyOwner(on: Queryable, id: string) {
  const [row] = await on
    .select({ accountId: gameKeys.accountId, lastFour: gameKeys.lastFour })
    .from(gameKeys)
    .where(eq(gameKeys.id, id));
  return row;
}

/** A stored key as its owner sees it. */
export interface KeyCard {
  readonly id: string;
  readonly lastFour: string;
  readonly level: number;
  readonly type: string;
  readonly factionApiAccess: boolean;
  readonly state: "active" | "paused" | "disabled" | "dead";
  readonly lastError: string | null;
  readonly lastOkAt: Date | null;
  readonly createdAt: Date;
}

/** The keys of an account, newest first. */
export async function listKeyCards(on: Queryable, accountId: string): Promise<KeyCard[]> {
  const { id, lastFour, level, type, factionApiAccess, state, lastError, lastOkAt, createdAt } =
    gameKeys;
  return on
    .select({ id, lastFour, level, type, factionApiAccess, state, lastError, lastOkAt, createdAt })
    .from(gameKeys)
    .where(eq(gameKeys.accountId, accountId))
    .orderBy(desc(gameKeys.createdAt), desc(gameKeys.id));
}

/** Removes a key of an account. @returns whether it had it */
export async function deleteOwnKey(
  on: Queryable,
  key: { id: string; accountId: string },
): Promise<boolean> {
  const removed = await on
    .delete(gameKeys)
    .where(and(eq(gameKeys.id, key.id), eq(gameKeys.accountId, key.accountId)))
    .returning({ id: gameKeys.id });
  return removed.length > 0;
}
