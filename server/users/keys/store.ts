import { and, asc, desc, eq, gte, inArray, isNull, lt, ne, type SQL, sql } from "drizzle-orm";
import type { Database, Queryable } from "#db/client";
import {
  accounts,
  gameKeys,
  isSealedUnder,
  isWorkingKey,
  mayReadFaction,
  mayReadOwn,
  mayReadSelections,
} from "#db/schema/accounts";
import { players } from "#db/schema/players";
import { columnsOf, first, hasRows } from "#db/select";
import type { KeyInfo } from "#server/game/contract/user";

export type SealedKeyRow = Awaited<ReturnType<typeof listWorkingKeys>>[number];

export type KeyQuery = {
  /** The key must read all of these selections. */
  readonly reads?: readonly string[];
  /** Keys that read this selection come first; the default is battle stats. */
  readonly prefers?: string;
} & (
  | { readonly of: "player"; readonly playerId: number }
  /** Any member's key, because the game shows this data to all. */
  | { readonly of: "members"; readonly factionId: number }
  | { readonly of: "faction"; readonly factionId: number }
  /** Players that lend their keys for public data; administrators count as lenders. */
  | { readonly of: "lenders" }
);

interface KeySources {
  /** Ids of the server secrets in force. */
  readonly keyIds: readonly string[];
  readonly preferred: string;
  readonly administrators: readonly number[];
  /** A random account id at which the search for lenders starts. */
  readonly from: string;
}

const mostChoices = 50;

const id = columnsOf(gameKeys, ["id"]);
const sealedKey = {
  ...columnsOf(gameKeys, ["id", "playerId", "level", "selections", "lastOkAt"]),
  sealed: sql<string>`${gameKeys.sealed}`,
};

export const listWorkingKeys = (on: Queryable, query: KeyQuery, sources: KeySources) =>
  on
    .select(sealedKey)
    .from(gameKeys)
    .innerJoin(accounts, eq(accounts.id, gameKeys.accountId))
    .innerJoin(players, eq(players.id, gameKeys.playerId))
    .where(
      and(
        isWorkingKey(sources.keyIds),
        fits(query, sources),
        query.reads && mayReadSelections(query.reads),
      ),
    )
    .orderBy(desc(mayReadOwn([sources.preferred])), asc(gameKeys.createdAt), asc(gameKeys.id))
    .limit(mostChoices);

function fits(query: KeyQuery, sources: KeySources): SQL | undefined {
  switch (query.of) {
    case "player":
      return eq(gameKeys.playerId, query.playerId);
    case "members":
      return eq(players.factionId, query.factionId);
    case "faction":
      return and(eq(players.factionId, query.factionId), mayReadFaction);
    case "lenders":
      return inArray(accounts.id, lendersFrom(sources));
  }
}

/** Few accounts lend, so the query walks account ids in a circle and looks keys up by account. */
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

/** @param wanted.keyIds ids of the server secrets in force */
export const listSuspendedKeys = (
  on: Queryable,
  {
    states,
    keyIds,
    limit,
  }: { states: readonly ("paused" | "disabled")[]; keyIds: readonly string[]; limit: number },
): Promise<SealedKeyRow[]> =>
  on
    .select(sealedKey)
    .from(gameKeys)
    .innerJoin(accounts, eq(accounts.id, gameKeys.accountId))
    .where(
      and(inArray(gameKeys.state, [...states]), isSealedUnder(keyIds), isNull(accounts.bannedAt)),
    )
    .orderBy(desc(gameKeys.lastOkAt), asc(gameKeys.id))
    .limit(limit);

/** @param keyHmacs of one key, under each secret in force */
export function findKeyByHmac(on: Queryable, keyHmacs: readonly string[], lock?: "for update") {
  const key = on
    .select(columnsOf(gameKeys, ["id", "accountId", "state"]))
    .from(gameKeys)
    .where(inArray(gameKeys.keyHmac, [...keyHmacs]));
  return first(lock ? key.for("update") : key);
}

const lastAttemptOf = (playerId: number) =>
  sql`(select ${players.lastAttempt} from ${players} where ${players.id} = ${playerId})`;

/** @returns false if the same key was inserted concurrently */
export const insertKey = (tx: Queryable, row: typeof gameKeys.$inferInsert): Promise<boolean> =>
  hasRows(
    tx
      .insert(gameKeys)
      .values({ ...row, ownerAttempt: sql`coalesce(${lastAttemptOf(row.playerId)}, '-infinity')` })
      .onConflictDoNothing({ target: gameKeys.keyHmac })
      .returning(id),
  );

const isKey = (keyId: string) => eq(gameKeys.id, keyId);

export async function updateKey(
  on: Queryable,
  keyId: string,
  change: Partial<typeof gameKeys.$inferInsert>,
): Promise<void> {
  await on.update(gameKeys).set(change).where(isKey(keyId));
}

const owner = columnsOf(gameKeys, ["accountId", "lastFour"]);

/**
 * Without `state` the key stays active.
 * @returns the owner, to only one of several concurrent callers; undefined if the error was already
 * recorded
 */
export function noteKeyError(
  on: Queryable,
  keyId: string,
  note: Pick<typeof gameKeys.$inferSelect, "lastError"> & {
    state?: "dead" | "paused" | "disabled" | undefined;
    factionApiAccess?: false | undefined;
  },
) {
  const isNew = note.state
    ? and(ne(gameKeys.state, note.state), ne(gameKeys.state, "dead"))
    : sql`${gameKeys.lastError} is distinct from ${note.lastError}`;
  return first(
    on
      .update(gameKeys)
      .set({ ...note, ...(note.state === "dead" && { sealed: null }) })
      .where(and(isKey(keyId), isNew))
      .returning(owner),
  );
}

/** A key that is too weak for faction data keeps that error. */
export async function reactivateKey(on: Queryable, keyId: string, at: Date): Promise<void> {
  await on
    .update(gameKeys)
    .set({
      state: "active",
      lastOkAt: at,
      lastError: sql`case when ${gameKeys.lastError} = 'access-level' then ${gameKeys.lastError} end`,
    })
    .where(and(isKey(keyId), ne(gameKeys.state, "dead")));
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
 * A key that was too weak for faction data stays so until its level changes; a custom key goes by
 * its selections.
 * @returns true if the key is still stored
 */
export function noteKeyInfo(on: Queryable, keyId: string, info: KeyInfo): Promise<boolean> {
  const { factionApiAccess, ...rights } = rightsOf(info);
  const { level } = rights;
  return hasRows(
    on
      .update(gameKeys)
      .set({
        ...rights,
        factionApiAccess: sql`${factionApiAccess} and (${level === 0} or not (coalesce(${gameKeys.lastError}, '') = 'access-level' and ${gameKeys.level} = ${level}))`,
      })
      .where(isKey(keyId))
      .returning(id),
  );
}

export const findKeyOwner = (on: Queryable, keyId: string) =>
  first(on.select(owner).from(gameKeys).where(isKey(keyId)));

export const listKeySummaries = (database: Database, accountId: string) =>
  database
    .statement("key_cards", ({ query }) =>
      query
        .select({
          ...columnsOf(gameKeys, ["id", "lastFour", "level", "type", "selections"]),
          ...columnsOf(gameKeys, ["factionApiAccess", "state", "lastError"]),
          ...columnsOf(gameKeys, ["lastOkAt", "createdAt"]),
        })
        .from(gameKeys)
        .where(eq(gameKeys.accountId, sql.placeholder("accountId")))
        .orderBy(desc(gameKeys.createdAt), desc(gameKeys.id))
        .prepare("key_cards"),
    )
    .execute({ accountId });

export type KeySummary = Awaited<ReturnType<typeof listKeySummaries>>[number];

export const deleteOwnKey = (
  on: Queryable,
  key: { id: string; accountId: string },
): Promise<boolean> =>
  hasRows(
    on
      .delete(gameKeys)
      .where(and(isKey(key.id), eq(gameKeys.accountId, key.accountId)))
      .returning(id),
  );
