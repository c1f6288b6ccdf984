import { z } from "zod";
import { type EventRecord, eventType } from "#server/event-log/event-type";
import { FactionPosition, positionRecord } from "./contract";
import { findMember } from "./membership";
import { listPositions } from "./store";

const record: EventRecord = {
  schema: z.array(FactionPosition),
  find: async (ctx, { actor, factionId }) => {
    const member = await findMember(ctx.database, actor.playerId, factionId);
    if (!member) return null;
    const positions = await listPositions(ctx.database, member.factionId);
    return positions.map((position) => positionRecord(member.factionId, position));
  },
};

export const positionsChanged = eventType({
  type: "positions.changed",
  title: "Positions changed",
  description: "A position of the faction was added or removed, or what one allows has changed.",
  told: "changes of your faction's positions",
  tag: "Faction",
  scope: "faction",
  subject: "faction",
  changed: [],
  data: z.object({}),
  example: { subject: "40001", data: {} },
  href: () => "/faction/positions",
  record,
});
