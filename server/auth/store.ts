import { and, desc, eq, getTableColumns, gt, inArray, ne, type SQL, sql } from "drizzle-orm";
import type { Database, Queryable } from "#db/client";
import { accounts, chatIdentities, proofs, secondFactors, sessions } from "#db/schema/accounts";
import { type Sweep, settling } from "#db/sweep";

export type StoredSession = typeof sessions.$inferSelect;

/** No help in guessing the rest. */
const publicIdLength = 16;

/** @param hashes under each server secret in force */
export async function findSession(database: Database, hashes: readonly string[]) {
  const [current, previous = current] = hashes;
  const statement = database.statement("session_by_hash", ({ keyPool }) =>
    keyPool
      .select({
        ...getTableColumns(sessions),
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

/** A slow request never shortens a session. */
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

const isLiveOf = (accountId: string, now: Date) =>
  and(eq(sessions.accountId, accountId), gt(sessions.expiresAt, now));

export async function selectSessions(
  on: Queryable,
  accountId: string,
  now: Date,
): Promise<StoredSession[]> {
  return on
    .select()
    .from(sessions)
    .where(isLiveOf(accountId, now))
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

/** @param most with the named session, which is kept */
export function deleteOldestSessions(
  on: Queryable,
  { accountId, idHash, most }: Pick<StoredSession, "accountId" | "idHash"> & { most: number },
  now: Date,
): Promise<number> {
  const tooMany = on
    .select({ idHash: sessions.idHash })
    .from(sessions)
    .where(and(isLiveOf(accountId, now), ne(sessions.idHash, idHash)))
    .orderBy(desc(sessions.authenticatedAt), desc(sessions.idHash))
    .offset(most - 1);
  return deleteSessionsWhere(on, accountId, inArray(sessions.idHash, tooMany));
}

export const deleteSessionsOf = (on: Queryable, accountId: string): Promise<number> =>
  deleteSessionsWhere(on, accountId);

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

/** Serialises sign-ins with turning the second factor on. */
export async function lockAccount(tx: Queryable, accountId: string) {
  const { bannedAt, bannedFor, lastSignInAt, signInPlaces } = accounts;
  const [row] = await tx
    .select({ bannedAt, bannedFor, lastSignInAt, signInPlaces })
    .from(accounts)
    .where(eq(accounts.id, accountId))
    .for("no key update");
  return row;
}

export async function findSignIn(on: Queryable, playerId: number) {
  const { lastSignInAt, bannedAt, bannedFor } = accounts;
  const [row] = await on
    .select({ lastSignInAt, bannedAt, bannedFor })
    .from(accounts)
    .where(eq(accounts.playerId, playerId));
  return row;
}

export async function noteSignIn(
  on: Queryable,
  accountId: string,
  signIn: { readonly lastSignInAt: Date; readonly signInPlaces: string[] },
): Promise<void> {
  await on.update(accounts).set(signIn).where(eq(accounts.id, accountId));
}

export const authSweeps: readonly Sweep[] = [
  { table: sessions, column: sessions.expiresAt, keep: settling },
  { table: proofs, column: proofs.expiresAt, keep: settling },
];

type ChatAccountLink = Omit<typeof chatIdentities.$inferSelect, "lastSignInAt">;

export async function findChatOwner(on: Queryable, chatId: bigint) {
  const [row] = await on
    .select({ accountId: chatIdentities.accountId, playerId: accounts.playerId })
    .from(chatIdentities)
    .innerJoin(accounts, eq(accounts.id, chatIdentities.accountId))
    .where(eq(chatIdentities.chatId, chatId));
  return row;
}

/** @returns false if the link is gone or belongs to another account */
export async function noteChatSignIn(
  on: Queryable,
  signIn: Omit<ChatAccountLink, "linkedAt"> & { readonly now: Date },
): Promise<boolean> {
  const { chatId, accountId, now } = signIn;
  const marked = await on
    .update(chatIdentities)
    .set({ lastSignInAt: now })
    .where(and(eq(chatIdentities.chatId, chatId), eq(chatIdentities.accountId, accountId)))
    .returning({ chatId: chatIdentities.chatId });
  return marked.length > 0;
}

/** Unique keys let one of several links through. */
export async function insertChatAccountLink(
  on: Queryable,
  link: ChatAccountLink,
): Promise<boolean> {
  const inserted = await on
    .insert(chatIdentities)
    .values(link)
    .onConflictDoNothing()
    .returning({ chatId: chatIdentities.chatId });
  return inserted.length > 0;
}

export async function findChatAccountLink(on: Queryable, accountId: string) {
  const { chatId, linkedAt, lastSignInAt } = chatIdentities;
  const [row] = await on
    .select({ chatId, linkedAt, lastSignInAt })
    .from(chatIdentities)
    .where(eq(chatIdentities.accountId, accountId));
  return row;
}

export async function deleteChatAccountLink(
  on: Queryable,
  accountId: string,
): Promise<bigint | undefined> {
  const [gone] = await on
    .delete(chatIdentities)
    .where(eq(chatIdentities.accountId, accountId))
    .returning({ chatId: chatIdentities.chatId });
  return gone?.chatId;
}
