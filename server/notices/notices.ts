import type { PortalUser } from "#server/actor";
import type { Context } from "#server/context";
import { pageOf, readCursor } from "#server/platform/paging";
import { countUnread, listNotices, markNoticesRead } from "./store";

export { hasNotice, readChatSilenced, saveChatSilenced } from "./store";

const pageSize = 50;

export async function showNotices(
  ctx: Context,
  user: PortalUser,
  asked: { readonly after: string | null },
) {
  const [notices, unread] = await Promise.all([
    listNotices(ctx.database.query, user.accountId, {
      after: readCursor(asked.after, "uuid"),
      limit: pageSize + 1,
    }),
    countOwnUnread(ctx, user),
  ]);
  const rows = notices.map((notice) => ({ ...notice, at: notice.createdAt }));
  return { ...pageOf(rows, pageSize), unread };
}

export const countOwnUnread = (ctx: Context, user: PortalUser): Promise<number> =>
  countUnread(ctx.database, user.accountId);

export const markOwnNoticesRead = (ctx: Context, user: PortalUser): Promise<void> =>
  markNoticesRead(ctx.database.query, user.accountId, ctx.now());
