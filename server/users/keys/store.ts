import { and, asc, desc, eq, gte, inArray, isNull, lt, ne, type SQL, sql } from "drizzle-orm";
import type { Database, Queryable } from "#db/client";
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

export type SealedKey = Awaited<ReturnType<typeof listWorkingKeys>>[number];

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
  /** Players that lend their keys for public data; administrators count as lenders. */
  | { readonly of: "lenders" }
);

interface KeySources {
  /** Ids of the server secrets in force. */
  readonly keyIds: readonly string[];
  /** A selection: keys with it, and those of a limited level, come first. */
  readonly preferred: string;
  readonly administrators: readonly number[];
  /** With very many lenders, a sample starts at this account id. */
  readonly from: string;
}

const mostChoices = 50;

const sealedKey = {
  id: gameKeys.id,
  playerId: gameKeys.playerId,
  sealed: sql<string>`${gameKeys.sealed}`,
  level: gameKeys.level,
  selections: gameKeys.selections,
  lastOkAt: gameKeys.lastOkAt,
};

/** Active keys of accounts that are not banned, strongest first, then oldest. */
export async function listWorkingKeys(on: Queryable, query: KeyQuery, sources: KeySources) {
  return on
    .select(sealedKey)
    .from(gameKeys)
    .innerJoin(accounts, eq(accounts.id, gameKeys.accountId))
    .innerJoin(players, eq(players.id, gameKeys.playerId))
    .where(
      and(
        isWorkingKey(sources.keyIds),
        fits(query, sources),
        query.reads && mayReadAll(query.reads),
      ),
    )
    .orderBy(desc(readsOwn([sources.preferred])), asc(gameKeys.createdAt), asc(gameKeys.id))
    .limit(mostChoices);
}

function fits(query: KeyQuery, sources: KeySources): SQL | undefined {
  switch (query.of) {
    case "player":
      return eq(gameKeys.playerId, query.playerId);
    case "members":
      return eq(players.factionId, query.factionId);
    case "faction":
      return and(eq(players.factionId, query.factionId), readsFaction);
    case "lenders":
      return inArray(accounts.id, lendersFrom(sources));
  }
}

/**
 * Walks account ids in a circle and looks keys up by account, because few of many accounts lend.
 */
function lendersFrom({ administrators, from }: KeySources): SQL {
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

/** By its HMAC under any secret in force. */
export const selectKey = (on: Queryable, keyHmacs: readonly string[]) =>
  on
    .select({ id: gameKeys.id, accountId: gameKeys.accountId, state: gameKeys.state })
    .from(gameKeys)
    .where(inArray(gameKeys.keyHmac, [...keyHmacs]));

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
 * Deactivates a key, or records a limitation of one that stays active. The conditional UPDATE makes
 * one of many concurrent failures notify the owner.
 * @returns undefined if it was already recorded
 */
export async function noteKeyError(
  on: Queryable,
  id: string,
  note: Pick<typeof gameKeys.$inferSelect, "lastError"> & {
    readonly state?: "dead" | "paused" | "disabled" | undefined;
    readonly factionApiAccess?: false | undefined;
  },
) {
  const isNew = note.state
    ? and(ne(gameKeys.state, note.state), ne(gameKeys.state, "dead"))
    : sql`${gameKeys.lastError} is distinct from ${note.lastError}`;
  const [row] = await on
    .update(gameKeys)
    .set({ ...note, ...(note.state === "dead" && { sealed: null }) })
    .where(and(eq(gameKeys.id, id), isNew))
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
      level,
      type,
      selections,
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

const { id, lastFour, level, type, selections } = gameKeys;
const { factionApiAccess, state, lastError, lastOkAt, createdAt } = gameKeys;

const keyCards = (database: Database) =>
  database.statement("key_cards", ({ query }) =>
    query
      .select({
        id,
        lastFour,
        level,
        type,
        selections,
        factionApiAccess,
        state,
        lastError,
        lastOkAt,
        createdAt,
      })
      .from(gameKeys)
      .where(eq(gameKeys.accountId, sql.placeholder("accountId")))
      .orderBy(desc(gameKeys.createdAt), desc(gameKeys.id))
      .prepare("key_cards"),
  );

export const listKeyCards = (database: Database, accountId: string) =>
  keyCards(database).execute({ accountId });

export type KeyCard = Awaited<ReturnType<typeof listKeyCards>>[number];

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
