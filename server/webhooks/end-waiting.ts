import type { Context } from "#server/context";
import { countMessages, deleteMessages, lockEndpointById, updateEndpoint } from "./endpoint-store";
import { queueGap } from "./gap";
import { findOldestMessage } from "./message-store";

/**
 * Puts one gap in the place of everything that waits for an endpoint, where that is more than `most`. The worker that has it loses it.
 * @returns whether that was so
 */
export const endWaiting = (ctx: Context, endpointId: string, most: number): Promise<boolean> =>
  ctx.database.background.transaction(async (tx) => {
    const endpoint = await lockEndpointById(tx, endpointId);
    if (!endpoint) return false;
    const { seq, counted, waiting } = endpoint;
    const stored = (await countMessages(tx, [endpointId])).get(endpointId) ?? 0;
    if (waiting + stored <= most) return false;
    const oldest = await findOldestMessage(tx, endpointId);
    const after = Math.min(seq, oldest ? oldest.seq - 1 : seq);
    await deleteMessages(tx, endpointId);
    await queueGap(ctx, tx, endpoint, { after, until: counted });
    await updateEndpoint(tx, endpointId, {
      seq: counted,
      waiting: 0,
      ...(endpoint.failures === 0 && { dueAt: new Date(0) }),
    });
    ctx.log.warn(
      { endpointId, clientId: endpoint.clientId, waiting: waiting + stored },
      "too many events waited for a webhook endpoint: it is told of a gap",
    );
    return true;
  });
