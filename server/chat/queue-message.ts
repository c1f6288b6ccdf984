import type { Queryable } from "#db/client";
import type { MessageWish } from "./message-wish";
import { saveWishes } from "./store";

/**
 * Says how a message is to stand in the chat; it stands or falls with the transaction. A later wish for the same subject
 * replaces the earlier, and what was posted by then is edited where it stands. Delivery comes later, by `deliverSoon`
 * after the commit or by the job.
 */
export const queueMessage = (tx: Queryable, wish: MessageWish, now: Date): Promise<void> => saveWishes(tx, [wish], now);

/** The same for many messages, each about a subject of its own, in one statement. */
export const queueMessages = (tx: Queryable, wishes: readonly MessageWish[], now: Date): Promise<void> =>
  saveWishes(tx, wishes, now);
