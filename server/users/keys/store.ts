import { and, asc, desc, eq, gte, inArray, isNull, lt, ne, type SQL, sql } from "drizzle-orm";
import type { Queryable } from "#db/client";
import {
  accounts,
  gameKeys,
  isSealedUnder,
  isWorkingKey,
  mayReadAll,
  readsFaction,
  readsOwn,
} from "#db/schema/accounts";
import { players } from "#db/schema/players";
import type { KeyInfo } from "#server/game/contract/user";

export interface SealedKey {
  readonly id: string;
  readonly playerId: number;
  readonly sealed: string;
  readonly level: number;
  readonly selections: readonly string[] | null;
  readonly lastOkAt: Date | null;
}

export type KeyQuery = {
  /** All of them. */
  readonly reads?: readonly string[];
  /** A selection that only some keys list; by default the stats of its owner. */
  readonly prefers?: string;
} & (
  | { readonly of: "player"; readonly playerId: number }
  /** For faction data that the game shows everyone. */
  | { readonly of: "members"; readonly factionId: number }
  | { readonly of: "faction"; readonly factionId: number }
  /**
   * Lenders and administrators, for public data. With very many lenders, a sample that starts at
   * account id `from`.
   */
  | { readonly of: "lenders"; readonly administrators: readonly number[]; readonly from: string }
);

const mostChoices = 50;

const sealedKey = {
  id: gameKeys.id,
  playerId: gameKeys.playerId,
  sealed: sql<string>`${gameKeys.sealed}`,
  level: gameKeys.level,
  selections: gameKeys.selections,
  lastOkAt: gameKeys.lastOkAt,
};

/**
 * Active keys of accounts that are not banned: first those of a limited level or with the selection
 * `preferred`, then oldest.
 * @param keyIds ids of the server secrets in force
 */
export async function listWorkingKeys(
  on: Queryable,
  query: KeyQuery,
  { keyIds, preferred }: { readonly keyIds: readonly string[]; readonly preferred: string },
): Promise<SealedKey[]> {
  return on
    .select(sealedKey)
    .from(gameKeys)
    .innerJoin(accounts, eq(accounts.id, gameKeys.accountId))
    .innerJoin(players, eq(players.id, gameKeys.playerId))
    .where(and(isWorkingKey(keyIds), fits(query), query.reads && mayReadAll(query.reads)))
    .orderBy(desc(readsOwn([preferred])), asc(gameKeys.createdAt), asc(gameKeys.id))
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

/**
 * Walks account ids in a circle and looks keys up by account, because few of many accounts lend.
 */
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
 * Keys with a temporary refusal, latest success first. `keyIds` are the ids of the server secrets
 * in force.
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

/** Matches the HMAC under any secret in force; locked until the transaction ends. */
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

/** @returns false if the same key was inserted concurrently */
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
 * Deactivates a key. The conditional UPDATE makes one of many concurrent failures notify the owner.
 * @returns undefined if it was already in that state
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
 * Records a limitation of a key that stays active; one of many concurrent failures notifies the
 * owner.
 * @returns undefined if it was already recorded
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

/** Reactivates a key. Keeps the flag "too weak for faction data". */
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
 * Stores key info. "Too weak for faction data" stays until the level changes; custom keys go by
 * their selections.
 * @returns true if the key is still stored
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

export async function findKeyOwner(on: Queryable, id: string) {
  const [row] = await on
    .select({ accountId: gameKeys.accountId, lastFour: gameKeys.lastFour })
    .from(gameKeys)
    .where(eq(gameKeys.id, id));
  return row;
}

export interface KeyCard {
  readonly id: string;
  readonly lastFour: string;
  readonly level: number;
  readonly type: string;
  /** Of a custom key. */
  readonly selections: readonly string[] | null;
  readonly factionApiAccess: boolean;
  readonly state: "active" | "paused" | "disabled" | "dead";
  readonly lastError: string | null;
  readonly lastOkAt: Date | null;
  readonly createdAt: Date;
}

export async function listKeyCards(on: Queryable, accountId: string): Promise<KeyCard[]> {
  const { id, lastFour, level, type, selections } = gameKeys;
  const { factionApiAccess, state, lastError, lastOkAt, createdAt } = gameKeys;
  return on
    .select({
      ...{ id, lastFour, level, type, selections },
      ...{ factionApiAccess, state, lastError, lastOkAt, createdAt },
    })
    .from(gameKeys)
    .where(eq(gameKeys.accountId, accountId))
    .orderBy(desc(gameKeys.createdAt), desc(gameKeys.id));
}

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
