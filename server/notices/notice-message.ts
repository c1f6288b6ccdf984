import type { Queryable } from "#db/client";
import type { Context } from "#server/context";
import { findNotices } from "./store";
import { topicOfType, topics } from "./topics";

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

/** Standard Webhooks 1.0.0, "Payload structure". The link opens a page and is no sign-in. */
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

/**
 * Bodies by delivery id, the same in every attempt. None for a notice that is gone, or of another
 * account.
 */
export async function noticeMessages(
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

/** For the test message of a webhook. */
export function exampleNotice(
  type: string,
  { playerId }: { readonly playerId: number },
  baseUrl: string,
) {
  const topic = topicOfType(type) ?? "sign_in";
  const notice = {
    id: "0198c2f4-6a0e-7cc3-9a51-3f1c7e5a2b10",
    kind: topics[topic].notices[0],
    text: `An example: ${topics[topic].words.toLowerCase()}.`,
    path: null,
    createdAt: new Date(0),
  };
  return messageOf({ messageId: "", type, playerId, notice }, baseUrl);
}
