import { z } from "zod";
import { type EventRecord, eventType } from "#server/event-log/event-type";
import { findMember } from "../positions/membership";
import { Retaliation, retaliationRecord } from "./contract";
import { answerableSince } from "./retaliation";
import { listOpenRetaliations } from "./store";

const record: EventRecord = {
  schema: Retaliation,
  find: async (ctx, { actor, factionId, subject }) => {
    const member = await findMember(ctx.database, actor.playerId, factionId);
    if (!member) return null;
    const open = await listOpenRetaliations(ctx.database, {
      factionId: member.factionId,
      since: answerableSince(ctx.now()),
    });
    const found = open.find(({ code }) => code === subject);
    return found ? retaliationRecord(found) : null;
  },
};

const hit = {
  tag: "Faction",
  scope: "faction:attacks",
  subject: "retaliation",
  href: ({ factionId }) => `/faction/${factionId}/attacks/retaliations`,
  record,
} as const satisfies Partial<Parameters<typeof eventType>[0]>;

const retaliations = "retaliations (opened, closed)";
const subject = "3f9d0c4b7a5e4d1f8b6c2a1e0d9f8c7b";

export const retaliationOpened = eventType({
  ...hit,
  type: "retaliation.opened",
  title: "Retaliation opened",
  description: "A member was hit. The retaliation is open for five minutes.",
  told: retaliations,
  changed: ["code", "attack_ended", "defender", "attacker"],
  data: z.object({}),
  example: { subject, data: {} },
});

export const retaliationClosed = eventType({
  ...hit,
  type: "retaliation.closed",
  title: "Retaliation closed",
  description: "A member hit back, or the five minutes are over.",
  told: retaliations,
  changed: [],
  data: z.object({
    reason: z
      .enum(["answered", "expired"])
      .meta({ description: "What closed it.", examples: ["answered"] }),
  }),
  example: { subject, data: { reason: "answered" } },
});

export const attackEvents = [retaliationOpened, retaliationClosed];
