import type { Queryable } from "#db/client";
import { withdrawMessages } from "#server/chat/deliver-message";
import type { Context } from "#server/context";
import { answerableSince } from "../attacks/retaliation";
import { listUnclosed } from "../attacks/store";
import { setEventsChoice } from "../chat-link/store";
import { listDelayed } from "../crimes/store";
import { crimeSubject, retaliationSubject } from "./event-cards";

/**
 * Ends showing what happens to a faction in a channel of this server, in the caller's transaction. What waits for the chat is
 * taken back; what stands there stays as it is.
 */
export async function endEventCards(
  ctx: Context,
  tx: Queryable,
  of: { readonly serverId: bigint; readonly factionId: number },
): Promise<void> {
  const ended = await setEventsChoice(tx, of, { channelId: null, shown: [] });
  if (ended) await withdrawCards(ctx, tx, of.factionId);
}

/** Takes back what waits for the chat about a faction's hits and crimes. */
export async function withdrawCards(ctx: Context, tx: Queryable, factionId: number): Promise<void> {
  const hits = await listUnclosed(tx, factionId, answerableSince(ctx.now()));
  const crimes = await listDelayed(tx, factionId);
  await withdrawMessages(tx, [...hits.map(retaliationSubject), ...crimes.map(crimeSubject)]);
}
