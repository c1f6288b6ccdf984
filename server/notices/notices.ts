import { afterCommit, type Queryable } from "#db/client";
import type { PortalUser } from "#server/actor";
import { deleteDirectMessages, deliverSoon, queueChatMessages } from "#server/chat/deliver-message";
import type { Context, NewNotice } from "#server/context";
import { recordEvents } from "#server/event-log/record-events";
import { pageOf, readCursor } from "#server/platform/paging";
import { countUnread, insertNotices, listNotices, listReceivers, markNoticesRead } from "./store";
import { noticeEvent, topicOf, topics } from "./topics";

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

/** Per account: the chat is sent one message at a time, and those of factions wait behind. */
const mostWaiting = 20;

const chatSubjects = "notice:";

/**
 * In the transaction of what happened: the notice, and of a topic also the chat message and the
 * event for the account's own webhook.
 */
export async function notify(
  ctx: Context,
  on: Queryable,
  notices: NewNotice | readonly NewNotice[],
): Promise<void> {
  const now = ctx.now();
  const rows = [notices].flat().map(({ isRead, ...notice }) => ({
    ...notice,
    id: ctx.ids.uuid(),
    createdAt: now,
    readAt: isRead ? now : null,
  }));
  await insertNotices(on, rows);
  const sent = rows.flatMap((notice) => {
    const topic = topicOf(notice.kind);
    return topic ? [{ ...notice, topic }] : [];
  });
  if (sent.length === 0) return;
  const receivers = await listReceivers(
    on,
    sent.map(({ accountId }) => accountId),
  );
  const messages = sent.flatMap(({ accountId, id, topic, text, path = "/account/notices" }) => {
    const { chatId = null, chatSilenced = [], chatWaiting = 0 } = receivers.get(accountId) ?? {};
    if (chatId === null || chatSilenced.includes(topic)) return [];
    if (chatWaiting >= mostWaiting && topic !== "settings") return [];
    const card = { title: topics[topic].title, body: text, tone: "warning" } as const;
    const buttons = [{ label: "Open the portal", url: `${ctx.settings.baseUrl}${path}` }];
    return [
      { subject: `${chatSubjects}${id}`, to: { recipientId: chatId }, message: { card, buttons } },
    ];
  });
  await queueChatMessages(on, messages, now);
  if (messages.length > 0) afterCommit(on, () => deliverSoon(ctx));
  await recordEvents(
    ctx,
    on,
    sent.flatMap(({ accountId, id, topic }) => {
      const { playerId, hasWebhook } = receivers.get(accountId) ?? {};
      return playerId !== undefined && hasWebhook
        ? [{ type: noticeEvent(topic), subject: id, playerId }]
        : [];
    }),
  );
}

/** Before the chat account is unlinked, or goes with its account: it may be a thief's. */
export const withdrawChatNotices = (tx: Queryable, accountId: string): Promise<void> =>
  deleteDirectMessages(tx, { accountId, subjects: chatSubjects });
