import type { Queryable } from "#db/client";
import type { ChatMessage } from "./message";
import { saveWishes } from "./store";

/** Where a message is to stand: in a channel, or in the direct channel of somebody. */
export type ChatPlace = { readonly channelId: bigint } | { readonly recipientId: bigint };

export interface MessageWish {
  /** What it is about, `vault-request:12`: the key of the message, at most one row each. */
  readonly subject: string;
  readonly to: ChatPlace;
  readonly message: ChatMessage;
}

/**
 * Says how a message is to stand in the chat; it stands or falls with the transaction. A later wish for the same subject
 * replaces the earlier, and what was posted by then is edited where it stands. Delivery comes later, by `deliverSoon`
 * after the commit or by the job.
 */
export const queueMessage = (tx: Queryable, wish: MessageWish, now: Date): Promise<void> => saveWishes(tx, [wish], now);

/** The same for many messages, each about a subject of its own, in one statement. */
export const queueMessages = (tx: Queryable, wishes: readonly MessageWish[], now: Date): Promise<void> =>
  saveWishes(tx, wishes, now);
