import { afterCommit, type Queryable } from "#db/client";
import type { PortalUser } from "#server/actor";
import { deleteDirectMessages, deliverSoon, queueChatMessages } from "#server/chat/deliver-message";
import type { Context, NewNotice } from "#server/context";
import { recordEvents } from "#server/event-log/record-events";
import { pageOf, readCursor } from "#server/platform/paging";
import {
  countUnread,
  findNotices,
  insertNotices,
  listNotices,
  listReceivers,
  markNoticesRead,
} from "./store";
import { noticeEventDefinition, topicOf, topicOfEventType, topics } from "./topics";

export {
  hasNotice,
  readChatSilencedTopics as readChatSilenced,
  saveChatSilencedTopics as saveChatSilenced,
} from "./store";

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

/** Per account, because chat messages are sent one at a time and those of factions would wait. */
const mostWaiting = 20;

const chatSubjects = "notice:";

/** A notice with a topic also becomes a chat message and an event for the account's webhook. */
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
        ? [{ type: noticeEventDefinition(topic), subject: id, playerId }]
        : [];
    }),
  );
}

/** Call it before a chat account is unlinked or deleted, because a thief may have linked it. */
export const withdrawChatNotices = (tx: Queryable, accountId: string): Promise<void> =>
  deleteDirectMessages(tx, { accountId, subjects: chatSubjects });

interface MessageFacts {
  readonly messageId: string;
  readonly type: string;
  readonly playerId: number | null;
  readonly notice: {
    readonly id: string;
    readonly kind: string;
    readonly text: string;
    readonly path: string | null;
    readonly createdAt: Date;
  };
}

/** Standard Webhooks 1.0.0, "Payload structure". `href` grants no access. */
const messageOf = ({ messageId, type, playerId, notice }: MessageFacts, baseUrl: string) => ({
  id: messageId,
  type,
  timestamp: notice.createdAt.toISOString(),
  data: {
    ...(playerId !== null && { sub: String(playerId) }),
    subject: { kind: "notice", id: notice.id },
    notice: notice.kind,
    text: notice.text,
    href: `${baseUrl}${notice.path ?? "/account/notices"}`,
  },
});

/** Keyed by delivery id. A notice that is gone or of another account has no body. */
export async function readNoticeBodies(
  { settings }: Context,
  on: Queryable,
  deliveries: readonly (Omit<MessageFacts, "notice"> & {
    readonly id: number;
    readonly accountId: string;
    readonly noticeId: string;
    readonly body: string | null;
  })[],
): Promise<ReadonlyMap<number, string>> {
  const found = await findNotices(
    on,
    deliveries.map(({ noticeId }) => noticeId),
  );
  return new Map(
    deliveries.flatMap(({ id, accountId, noticeId, body, ...facts }) => {
      const notice = found.get(noticeId);
      if (notice?.accountId !== accountId) return [];
      return [[id, body ?? JSON.stringify(messageOf({ ...facts, notice }, settings.baseUrl))]];
    }),
  );
}

export function exampleNoticeOf(
  type: string,
  { playerId }: { readonly playerId: number },
  baseUrl: string,
) {
  const topic = topicOfEventType(type) ?? "sign_in";
  const notice = {
    id: "0198c2f4-6a0e-7cc3-9a51-3f1c7e5a2b10",
    kind: topics[topic].notices[0],
    text: `An example: ${topics[topic].words.toLowerCase()}.`,
    path: null,
    createdAt: new Date(0),
  };
  return messageOf({ messageId: "", type, playerId, notice }, baseUrl);
}
