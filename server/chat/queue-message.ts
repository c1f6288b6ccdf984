import type { Queryable } from "#db/client";
import type { DesiredMessage } from "./message";
import { saveDesiredMessages } from "./store";

/**
 * Says how a message is to stand in the chat; it stands or falls with the transaction. A later wish for the same subject
 * replaces the earlier, and what was posted by then is edited where it stands. Delivery comes later, by `deliverSoon`
 * after the commit or by the job.
 */
export const queueMessage = (tx: Queryable, wish: DesiredMessage, now: Date): Promise<void> =>
  saveDesiredMessages(tx, [wish], now);

/** The same for many messages, each about a subject of its own, in one statement. */
export const queueMessages = (tx: Queryable, wishes: readonly DesiredMessage[], now: Date): Promise<void> =>
  saveDesiredMessages(tx, wishes, now);
