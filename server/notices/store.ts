import { and, count, desc, eq, getTableColumns, gte, isNull, lt, or, sql } from "drizzle-orm";
import type { Database, Queryable } from "#db/client";
import { notices } from "#db/schema/accounts";
import type { PageCursor } from "#server/platform/paging";

export async function insertNotices(
  on: Queryable,
  addressed: readonly (typeof notices.$inferInsert)[],
): Promise<void> {
  if (addressed.length > 0) await on.insert(notices).values([...addressed]);
}

const { accountId: _, ...notice } = getTableColumns(notices);

export async function listNotices(
  on: Queryable,
  accountId: string,
  { after, limit }: { readonly after: PageCursor | null; readonly limit: number },
) {
  const isLater =
    after &&
    or(
      lt(notices.createdAt, after.at),
      and(eq(notices.createdAt, after.at), lt(notices.id, after.id)),
    );
  return on
    .select(notice)
    .from(notices)
    .where(and(eq(notices.accountId, accountId), isLater ?? undefined))
    .orderBy(desc(notices.createdAt), desc(notices.id))
    .limit(limit);
}

/** Runs for the header of each page. */
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

/** Compares the page without its query. */
export async function hasNotice(
  on: Queryable,
  of: {
    readonly accountId: string;
    readonly kind: string;
    readonly page: string;
    readonly since: Date;
  },
): Promise<boolean> {
  const found = await on
    .select({ id: notices.id })
    .from(notices)
    .where(
      and(
        eq(notices.accountId, of.accountId),
        gte(notices.createdAt, of.since),
        eq(notices.kind, of.kind),
        sql`split_part(${notices.path}, '?', 1) = ${of.page}`,
      ),
    )
    .limit(1);
  return found.length > 0;
}
