import {
  and,
  count,
  desc,
  eq,
  getTableColumns,
  gte,
  inArray,
  isNotNull,
  isNull,
  sql,
} from "drizzle-orm";
import type { Database, Queryable } from "#db/client";
import { accounts, chatIdentities, notices } from "#db/schema/accounts";
import { chatMessages } from "#db/schema/chat";
import { webhookEndpoints } from "#db/schema/webhooks";
import { first, hasRows, isAfterCursor } from "#db/select";
import type { NewNotice } from "#server/context";
import type { PageCursor } from "#server/platform/paging";

export async function insertNotices(
  on: Queryable,
  addressed: readonly (typeof notices.$inferInsert)[],
): Promise<void> {
  if (addressed.length > 0) await on.insert(notices).values([...addressed]);
}

export async function listReceivers(on: Queryable, accountIds: readonly string[]) {
  const waiting = on
    .select({ many: count() })
    .from(chatMessages)
    .where(and(eq(chatMessages.recipientId, chatIdentities.chatId), isNotNull(chatMessages.dueAt)));
  const rows = await on
    .select({
      accountId: accounts.id,
      playerId: accounts.playerId,
      chatId: chatIdentities.chatId,
      chatSilenced: accounts.chatSilenced,
      chatWaiting: sql`(${waiting})`.mapWith(Number),
      hasWebhook: sql<boolean>`${webhookEndpoints.id} is not null`,
    })
    .from(accounts)
    .leftJoin(chatIdentities, eq(chatIdentities.accountId, accounts.id))
    .leftJoin(webhookEndpoints, eq(webhookEndpoints.accountId, accounts.id))
    .where(inArray(accounts.id, [...new Set(accountIds)]));
  return new Map(rows.map(({ accountId, ...receiver }) => [accountId, receiver]));
}

export async function readChatSilencedTopics(on: Queryable, accountId: string): Promise<string[]> {
  const { chatSilenced } = accounts;
  const row = on.select({ chatSilenced }).from(accounts).where(eq(accounts.id, accountId));
  return (await first(row))?.chatSilenced ?? [];
}

/** @returns the list before this call; concurrent calls are serialised */
export async function saveChatSilencedTopics(
  tx: Queryable,
  accountId: string,
  chatSilenced: string[],
): Promise<string[]> {
  const [before] = await tx
    .select({ chatSilenced: accounts.chatSilenced })
    .from(accounts)
    .where(eq(accounts.id, accountId))
    .for("no key update");
  await tx.update(accounts).set({ chatSilenced }).where(eq(accounts.id, accountId));
  return before?.chatSilenced ?? [];
}

export async function findNotices(on: Queryable, ids: readonly string[]) {
  if (ids.length === 0) return new Map<string, typeof notices.$inferSelect>();
  const rows = await on
    .select()
    .from(notices)
    .where(inArray(notices.id, [...new Set(ids)]));
  return new Map(rows.map((row) => [row.id, row]));
}

const { accountId: _, ...notice } = getTableColumns(notices);

export async function listNotices(
  on: Queryable,
  accountId: string,
  { after, limit }: { readonly after: PageCursor | null; readonly limit: number },
) {
  const isLater = isAfterCursor({ at: notices.createdAt, id: notices.id }, after);
  return on
    .select(notice)
    .from(notices)
    .where(and(eq(notices.accountId, accountId), isLater))
    .orderBy(desc(notices.createdAt), desc(notices.id))
    .limit(limit);
}

const unreadCount = (database: Database) =>
  database.statement("unread_notices", ({ keyPool }) =>
    keyPool
      .select({ unread: count() })
      .from(notices)
      .where(and(eq(notices.accountId, sql.placeholder("accountId")), isNull(notices.readAt)))
      .prepare("unread_notices"),
  );

export async function countUnread(database: Database, accountId: string): Promise<number> {
  const [row] = await unreadCount(database).execute({ accountId });
  return row?.unread ?? 0;
}

export async function markNoticesRead(on: Queryable, accountId: string, now: Date): Promise<void> {
  await on
    .update(notices)
    .set({ readAt: now })
    .where(and(eq(notices.accountId, accountId), isNull(notices.readAt)));
}

/** Paths are compared without their queries. */
export function hasNotice(
  on: Queryable,
  of: Pick<NewNotice, "accountId" | "kind" | "path"> & { readonly since: Date },
): Promise<boolean> {
  const [page = ""] = (of.path ?? "").split("?");
  const isSame = and(
    eq(notices.accountId, of.accountId),
    gte(notices.createdAt, of.since),
    eq(notices.kind, of.kind),
    sql`split_part(${notices.path}, '?', 1) = ${page}`,
  );
  return hasRows(on.select({ id: notices.id }).from(notices).where(isSame).limit(1));
}
