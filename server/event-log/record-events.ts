import { afterCommit, type Queryable } from "#db/client";
import type { EventData } from "#db/schema/events";
import type { Context } from "../context";
import type { NewEvent } from "./event-type";
import { insertEvents } from "./store";

/**
 * Must run last, with the changed row locked, so that a record's newest event matches its state.
 */
export async function recordEvents(
  ctx: Context,
  on: Queryable,
  happened: readonly NewEvent[],
): Promise<void> {
  if (happened.length === 0) return;
  const at = ctx.now();
  await insertEvents(
    on,
    happened.map(({ type, subject, factionId, playerId, clientId, grantId, data }) => ({
      id: ctx.ids.uuid(),
      type: type.type,
      scope: type.scope,
      at,
      subject: String(subject),
      factionId,
      playerId,
      clientId,
      grantId,
      data: type.data.parse(data ?? {}) as EventData,
    })),
  );
  afterCommit(on, ctx.events.sequencer.wake);
}
