import type { Queryable } from "#db/client";
import { chatInteractions } from "#db/schema/chat";

/** Notes an act of the chat. Of many that bring the same one at once, one gets true. */
export async function noteInteraction(on: Queryable, id: bigint, receivedAt: Date): Promise<boolean> {
  const noted = await on
    .insert(chatInteractions)
    .values({ id, receivedAt })
    .onConflictDoNothing()
    .returning({ id: chatInteractions.id });
  return noted.length > 0;
}
