import { and, desc, eq, getTableColumns, gt, inArray, ne, type SQL, sql } from "drizzle-orm";
import type { Database, Queryable } from "#db/client";
import { instantSql } from "#db/expressions";
import { accounts, chatIdentities, proofs, secondFactors, sessions } from "#db/schema/accounts";
import { columnsOf, first, hasRows } from "#db/select";
import { type Sweep, settlingSeconds } from "#db/sweep";

export type StoredSession = typeof sessions.$inferSelect;

/** Letters of the hash; too few to help in guessing the rest. */
const publicIdLength = 16;

/** @param hashes under each server secret in force */
export function findSession(database: Database, hashes: readonly string[]) {
  const [current, previous = current] = hashes;
  const statement = database.statement("session_by_hash", ({ keyPool }) =>
    keyPool
      .select({
        ...getTableColumns(sessions),
        ...columnsOf(accounts, ["playerId", "bannedAt"]),
        secondFactorSince: secondFactors.confirmedAt,
      })
      .from(sessions)
      .innerJoin(accounts, eq(accounts.id, sessions.accountId))
      .leftJoin(secondFactors, eq(secondFactors.accountId, accounts.id))
      .where(inArray(sessions.idHash, [sql.placeholder("current"), sql.placeholder("previous")]))
      .prepare("session_by_hash"),
  );
  return first(statement.execute({ current, previous }));
}

const isNamed = (idHash: string) => eq(sessions.idHash, idHash);

/** Of several concurrent renames, one succeeds. */
export async function rehashSession(on: Queryable, from: string, to: string): Promise<void> {
  await on.update(sessions).set({ idHash: to }).where(isNamed(from));
}

export async function insertSession(on: Queryable, session: StoredSession): Promise<void> {
  await on.insert(sessions).values(session);
}

/** A slow request never shortens a session. */
export async function extendSession(on: Queryable, idHash: string, end: Date): Promise<void> {
  const expiresAt = sql`greatest(${sessions.expiresAt}, ${instantSql(end)})`;
  await on.update(sessions).set({ expiresAt }).where(isNamed(idHash));
}

/** @returns false if the session is over */
export const markSessionConfirmed = (
  on: Queryable,
  idHash: string,
  proved: { confirmedAt: Date; secondFactorAt?: Date },
): Promise<boolean> =>
  hasRows(
    on
      .update(sessions)
      .set(proved)
      .where(isNamed(idHash))
      .returning(columnsOf(sessions, ["idHash"])),
  );

export async function findSecondFactorAt(on: Queryable, idHash: string): Promise<Date | null> {
  const columns = columnsOf(sessions, ["secondFactorAt"]);
  const session = await first(on.select(columns).from(sessions).where(isNamed(idHash)));
  return session?.secondFactorAt ?? null;
}

export async function deleteSession(on: Queryable, hashes: readonly string[]): Promise<void> {
  await on.delete(sessions).where(inArray(sessions.idHash, [...hashes]));
}

const isLiveOf = (accountId: string, now: Date) =>
  and(eq(sessions.accountId, accountId), gt(sessions.expiresAt, now));

const newestFirst = [desc(sessions.authenticatedAt), desc(sessions.idHash)];

export const listLiveSessions = (on: Queryable, accountId: string, now: Date) =>
  on
    .select()
    .from(sessions)
    .where(isLiveOf(accountId, now))
    .orderBy(...newestFirst);

export const sessionPublicId = (idHash: string): string => idHash.slice(0, publicIdLength);

export const deleteSessionByPublicId = (
  on: Queryable,
  accountId: string,
  publicId: string,
): Promise<number> =>
  deleteSessionsOf(on, accountId, sql`left(${sessions.idHash}, ${publicIdLength}) = ${publicId}`);

export const deleteSessionsExcept = (
  on: Queryable,
  accountId: string,
  keptHash: string,
): Promise<number> => deleteSessionsOf(on, accountId, ne(sessions.idHash, keptHash));

/** @param most includes the named session, which is kept */
export function deleteOldestSessions(
  on: Queryable,
  { accountId, idHash, most }: Pick<StoredSession, "accountId" | "idHash"> & { most: number },
  now: Date,
): Promise<number> {
  const tooMany = on
    .select(columnsOf(sessions, ["idHash"]))
    .from(sessions)
    .where(and(isLiveOf(accountId, now), ne(sessions.idHash, idHash)))
    .orderBy(...newestFirst)
    .offset(most - 1);
  return deleteSessionsOf(on, accountId, inArray(sessions.idHash, tooMany));
}

/** The caller writes the audit event. @returns the number of ended sessions */
export async function deleteSessionsOf(
  on: Queryable,
  accountId: string,
  condition?: SQL,
): Promise<number> {
  const ended = await on
    .delete(sessions)
    .where(and(eq(sessions.accountId, accountId), condition))
    .returning(columnsOf(sessions, ["idHash"]));
  return ended.length;
}

/** Serialises sign-ins with turning the second factor on. */
export const lockAccount = (tx: Queryable, accountId: string) =>
  first(
    tx
      .select(columnsOf(accounts, ["bannedAt", "bannedFor", "lastSignInAt", "signInPlaces"]))
      .from(accounts)
      .where(eq(accounts.id, accountId))
      .for("no key update"),
  );

export const findSignInState = (on: Queryable, playerId: number) =>
  first(
    on
      .select(columnsOf(accounts, ["lastSignInAt", "bannedAt", "bannedFor"]))
      .from(accounts)
      .where(eq(accounts.playerId, playerId)),
  );

export async function noteSignIn(
  on: Queryable,
  accountId: string,
  signIn: { lastSignInAt: Date; signInPlaces: string[] },
): Promise<void> {
  await on.update(accounts).set(signIn).where(eq(accounts.id, accountId));
}

export const authSweeps: readonly Sweep[] = [
  { table: sessions, column: sessions.expiresAt, keep: settlingSeconds },
  { table: proofs, column: proofs.expiresAt, keep: settlingSeconds },
];

type ChatAccountLink = Omit<typeof chatIdentities.$inferSelect, "lastSignInAt">;

export const findAccountByChatId = (on: Queryable, chatId: bigint) =>
  first(
    on
      .select({ accountId: chatIdentities.accountId, playerId: accounts.playerId })
      .from(chatIdentities)
      .innerJoin(accounts, eq(accounts.id, chatIdentities.accountId))
      .where(eq(chatIdentities.chatId, chatId)),
  );

const chatId = columnsOf(chatIdentities, ["chatId"]);
const isLinkOf = (accountId: string) => eq(chatIdentities.accountId, accountId);

/** @returns false if the link is gone or belongs to another account */
export const noteChatSignIn = (
  on: Queryable,
  { chatId: id, accountId, now }: Omit<ChatAccountLink, "linkedAt"> & { now: Date },
): Promise<boolean> =>
  hasRows(
    on
      .update(chatIdentities)
      .set({ lastSignInAt: now })
      .where(and(eq(chatIdentities.chatId, id), isLinkOf(accountId)))
      .returning(chatId),
  );

/** Unique keys let one of several links through. */
export const insertChatAccountLink = (on: Queryable, link: ChatAccountLink): Promise<boolean> =>
  hasRows(on.insert(chatIdentities).values(link).onConflictDoNothing().returning(chatId));

export const findChatAccountLink = (on: Queryable, accountId: string) =>
  first(
    on
      .select(columnsOf(chatIdentities, ["chatId", "linkedAt", "lastSignInAt"]))
      .from(chatIdentities)
      .where(isLinkOf(accountId)),
  );

/** @returns the chat account's id */
export const deleteChatAccountLink = async (on: Queryable, accountId: string) =>
  (await first(on.delete(chatIdentities).where(isLinkOf(accountId)).returning(chatId)))?.chatId;
