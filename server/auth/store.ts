import { and, desc, eq, gt, inArray, isNull, ne, type SQL, sql } from "drizzle-orm";
import type { Database, Queryable } from "#db/client";
import { accounts, gameKeys, proofs, secondFactors, sessions } from "#db/schema/accounts";
import { type Sweep, settling } from "#db/sweep";

export interface StoredSession {
  readonly idHash: string;
  readonly accountId: string;
  readonly createdAt: Date;
  readonly authenticatedAt: Date;
  readonly confirmedAt: Date | null;
  readonly secondFactorAt: Date | null;
  readonly expiresAt: Date;
  readonly address: string | null;
  readonly userAgent: string | null;
}

export interface SessionOwner extends StoredSession {
  readonly playerId: number;
  readonly bannedAt: Date | null;
  readonly secondFactorSince: Date | null;
}

export interface LastSignIn {
  readonly lastSignInAt: Date | null;
  readonly bannedAt: Date | null;
  readonly bannedFor: string | null;
}

/** Enough among one account's sessions, and no help in guessing the rest. */
const publicIdLength = 16;

const sessionColumns = {
  idHash: sessions.idHash,
  accountId: sessions.accountId,
  createdAt: sessions.createdAt,
  authenticatedAt: sessions.authenticatedAt,
  confirmedAt: sessions.confirmedAt,
  secondFactorAt: sessions.secondFactorAt,
  expiresAt: sessions.expiresAt,
  address: sessions.address,
  userAgent: sessions.userAgent,
};

/** @param hashes the token's under each server secret in force */
export async function findSession(
  database: Database,
  hashes: readonly string[],
): Promise<SessionOwner | undefined> {
  const [current, previous = current] = hashes;
  const statement = database.statement("session_by_hash", ({ keyPool }) =>
    keyPool
      .select({
        ...sessionColumns,
        playerId: accounts.playerId,
        bannedAt: accounts.bannedAt,
        secondFactorSince: secondFactors.confirmedAt,
      })
      .from(sessions)
      .innerJoin(accounts, eq(accounts.id, sessions.accountId))
      .leftJoin(secondFactors, eq(secondFactors.accountId, accounts.id))
      .where(inArray(sessions.idHash, [sql.placeholder("current"), sql.placeholder("previous")]))
      .prepare("session_by_hash"),
  );
  const [row] = await statement.execute({ current, previous });
  return row;
}

/** Of concurrent renames one succeeds. */
export async function renameSession(on: Queryable, from: string, to: string): Promise<void> {
  await on.update(sessions).set({ idHash: to }).where(eq(sessions.idHash, from));
}

export async function insertSession(on: Queryable, session: StoredSession): Promise<void> {
  await on.insert(sessions).values(session);
}

/** The later end wins: a slow request never shortens a session. */
export async function extendSession(on: Queryable, idHash: string, expiresAt: Date): Promise<void> {
  await on
    .update(sessions)
    .set({
      expiresAt: sql`greatest(${sessions.expiresAt}, ${expiresAt.toISOString()}::timestamptz)`,
    })
    .where(eq(sessions.idHash, idHash));
}

/** @returns false if the session is over */
export async function confirmSession(
  on: Queryable,
  idHash: string,
  proved: { readonly confirmedAt: Date; readonly secondFactorAt?: Date },
): Promise<boolean> {
  const marked = await on
    .update(sessions)
    .set(proved)
    .where(eq(sessions.idHash, idHash))
    .returning({ idHash: sessions.idHash });
  return marked.length > 0;
}

export async function findSecondFactorAt(on: Queryable, idHash: string): Promise<Date | null> {
  const [row] = await on
    .select({ at: sessions.secondFactorAt })
    .from(sessions)
    .where(eq(sessions.idHash, idHash));
  return row?.at ?? null;
}

export async function deleteSession(on: Queryable, hashes: readonly string[]): Promise<void> {
  await on.delete(sessions).where(inArray(sessions.idHash, [...hashes]));
}

export async function selectSessions(
  on: Queryable,
  accountId: string,
  now: Date,
): Promise<StoredSession[]> {
  return on
    .select(sessionColumns)
    .from(sessions)
    .where(and(eq(sessions.accountId, accountId), gt(sessions.expiresAt, now)))
    .orderBy(desc(sessions.authenticatedAt), desc(sessions.idHash));
}

export const sessionPublicId = (idHash: string): string => idHash.slice(0, publicIdLength);

export const deleteSessionNamed = (
  on: Queryable,
  accountId: string,
  publicId: string,
): Promise<number> =>
  deleteSessionsWhere(
    on,
    accountId,
    sql`left(${sessions.idHash}, ${publicIdLength}) = ${publicId}`,
  );

export const deleteSessionsExcept = (
  on: Queryable,
  accountId: string,
  keptHash: string,
): Promise<number> => deleteSessionsWhere(on, accountId, ne(sessions.idHash, keptHash));

/** Keeps the named session and `most` in total. @returns the number ended */
export function deleteOldestSessions(
  on: Queryable,
  { accountId, idHash, most }: Pick<StoredSession, "accountId" | "idHash"> & { most: number },
  now: Date,
): Promise<number> {
  const others = and(
    ...[
      eq(sessions.accountId, accountId),
      ne(sessions.idHash, idHash),
      gt(sessions.expiresAt, now),
    ],
  );
  const tooMany = on
    .select({ idHash: sessions.idHash })
    .from(sessions)
    .where(others)
    .orderBy(desc(sessions.authenticatedAt), desc(sessions.idHash))
    .offset(most - 1);
  return deleteSessionsWhere(on, accountId, inArray(sessions.idHash, tooMany));
}

export const deleteSessionsOf = (on: Queryable, accountId: string): Promise<number> =>
  deleteSessionsWhere(on, accountId);

export async function deleteExpiredSessions(on: Queryable, now: Date): Promise<void> {
  await on.delete(sessions).where(sql`${sessions.expiresAt} <= ${now.toISOString()}::timestamptz`);
}

async function deleteSessionsWhere(
  on: Queryable,
  accountId: string,
  condition?: SQL,
): Promise<number> {
  const ended = await on
    .delete(sessions)
    .where(and(eq(sessions.accountId, accountId), condition))
    .returning({ idHash: sessions.idHash });
  return ended.length;
}

/** By any HMAC that may be stored. */
export async function findAccountOfKey(
  on: Queryable,
  keyHmacs: readonly string[],
): Promise<string | undefined> {
  const [row] = await on
    .select({ accountId: gameKeys.accountId })
    .from(gameKeys)
    .where(inArray(gameKeys.keyHmac, [...keyHmacs]))
    .limit(1);
  return row?.accountId;
}

/** True if the account has one of these keys and it worked at its last use. */
export async function isActiveKeyOf(
  on: Queryable,
  accountId: string,
  keyHmacs: readonly string[],
): Promise<boolean> {
  const [row] = await on
    .select({ id: gameKeys.id })
    .from(gameKeys)
    .where(
      and(
        eq(gameKeys.accountId, accountId),
        eq(gameKeys.state, "active"),
        inArray(gameKeys.keyHmac, [...keyHmacs]),
      ),
    )
    .limit(1);
  return row !== undefined;
}

/** Serialises the account's sign-ins with turning its second factor on. */
export async function lockAccount(tx: Queryable, accountId: string): Promise<void> {
  await tx
    .select({ id: accounts.id })
    .from(accounts)
    .where(eq(accounts.id, accountId))
    .for("no key update");
}

export async function findSignIn(on: Queryable, playerId: number): Promise<LastSignIn | undefined> {
  const [row] = await on
    .select({
      lastSignInAt: accounts.lastSignInAt,
      bannedAt: accounts.bannedAt,
      bannedFor: accounts.bannedFor,
    })
    .from(accounts)
    .where(eq(accounts.playerId, playerId));
  return row;
}

/** @returns false for a banned account */
export async function noteSignIn(on: Queryable, accountId: string, now: Date): Promise<boolean> {
  const marked = await on
    .update(accounts)
    .set({ lastSignInAt: now })
    .where(and(eq(accounts.id, accountId), isNull(accounts.bannedAt)))
    .returning({ id: accounts.id });
  return marked.length > 0;
}

/** An expired row opens nothing. */
export const authSweeps: readonly Sweep[] = [
  { table: sessions, column: sessions.expiresAt, keep: settling },
  { table: proofs, column: proofs.expiresAt, keep: settling },
];
