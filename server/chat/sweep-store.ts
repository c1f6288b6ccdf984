import { sql } from "drizzle-orm";
import { ripeBy } from "#db/batches";
import { chatInteractions, chatMessages } from "#db/schema/chat";
import { before, type Sweep } from "#server/sweeper/sweep";
import { sweepByIndex } from "#server/sweeper/sweep-by-index";

const day = 86_400;
/** A message this old is not edited any more; what still concerns its subject would be posted anew. */
const messageDays = 90;
/** A direct message is said once, and is nobody's business afterwards. */
const letterDays = 7;
/** The chat's signature of an act is accepted for minutes only. */
const interactionDays = 1;

export const chatSweeps: readonly Sweep[] = [
  sweepByIndex("chat_messages", (moment) =>
    ripeBy(chatMessages, chatMessages.createdAt, before(moment, messageDays * day)),
  ),
  sweepByIndex("chat_letters", (moment) =>
    ripeBy(
      chatMessages,
      chatMessages.createdAt,
      before(moment, letterDays * day),
      sql`${chatMessages.recipientId} is not null`,
    ),
  ),
  sweepByIndex("chat_interactions", (moment) =>
    ripeBy(chatInteractions, chatInteractions.receivedAt, before(moment, interactionDays * day)),
  ),
];
