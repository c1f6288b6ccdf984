import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import type { PortalUser } from "#server/actor";
import { showChatAccount } from "#server/auth/chat/chat-sign-in";
import type { Context } from "#server/context";
import { readChatSilenced, saveChatSilenced } from "#server/notices/notices";
import { ChoosableTopic, noticeEventType, topics } from "#server/notices/topics";
import { boundedList } from "#server/platform/input-schemas";
import { chooseNotices } from "#server/webhooks/endpoint-acts";
import { listEndpoints } from "#server/webhooks/endpoint-views";
import { chargeNotification } from "#server/webhooks/own-endpoint";

const Chosen = boundedList(ChoosableTopic, { most: ChoosableTopic.options.length });

export const NotificationChoices = z.object({ chat: Chosen, webhook: Chosen });

const byChat = (silenced: readonly string[]): ChoosableTopic[] =>
  ChoosableTopic.options.filter((topic) => !silenced.includes(topic));

const byWebhook = (types: readonly string[]): ChoosableTopic[] =>
  ChoosableTopic.options.filter((topic) => types.includes(noticeEventType(topic)));

/** `webhook` is null without an endpoint of the account's own. */
export async function showNotificationChoices(ctx: Context, user: PortalUser) {
  const [silenced, chatAccount, [webhook = null]] = await Promise.all([
    readChatSilenced(ctx.database.query, user.accountId),
    showChatAccount(ctx, user),
    listEndpoints(ctx, user, { clientId: null }),
  ]);
  // A demo offers the chat, but drops the messages.
  const sends = ctx.settings.chatBot !== undefined || ctx.settings.demo !== "off";
  const { offered, link } = chatAccount;
  const chosen = { chat: byChat(silenced), webhook: byWebhook(webhook?.types ?? []) };
  return {
    chat: { offered: sends && offered, linked: sends && link !== null },
    webhook,
    topics: ChoosableTopic.options.map((topic) => ({
      topic,
      title: topics[topic].title,
      words: topics[topic].words,
      chat: chosen.chat.includes(topic),
      webhook: chosen.webhook.includes(topic),
    })),
  };
}

/**
 * Idempotent. Webhook choices are ignored without a webhook. The player is notified of topics that
 * no longer reach them.
 * @throws TooManyRequests
 */
export async function chooseNotifications(
  ctx: Context,
  by: PortalUser,
  { chat, webhook }: z.output<typeof NotificationChoices>,
): Promise<void> {
  const { accountId } = by;
  await chargeNotification(ctx, by);
  await ctx.database.transaction(async (tx) => {
    const silenced = ChoosableTopic.options.filter((topic) => !chat.includes(topic));
    const types = webhook.map(noticeEventType);
    // Locks the endpoint, then the account, as results of deliveries do.
    const earlier = await chooseNotices(tx, by, types);
    const before = {
      byChat: byChat(await saveChatSilenced(tx, accountId, silenced)),
      byWebhook: byWebhook(earlier ?? []),
    };
    const after = { byChat: byChat(silenced), byWebhook: earlier ? byWebhook(types) : [] };
    if (isDeepStrictEqual(before, after)) return;
    await ctx.audit(tx, by, "notifications.changed", { before, after });
    const ended = [
      ...before.byChat.filter((topic) => !after.byChat.includes(topic)),
      ...before.byWebhook.filter((topic) => !after.byWebhook.includes(topic)),
    ];
    if (ended.length === 0) return;
    const titles = [...new Set(ended)].map((topic) => `“${topics[topic].title}”`);
    await ctx.notify(tx, {
      accountId,
      kind: "notifications-changed",
      path: "/account/notifications",
      text: `Notifications were switched off: ${titles.join(", ")}. If that was not you, end your other sessions.`,
    });
  });
}
