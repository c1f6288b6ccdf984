import { z } from "zod";
import { type EventRecord, eventType } from "#server/event-log/event-type";
import { findMember } from "../positions/membership";
import { CrimeDelay, delayRecord } from "./contract";
import { listCrimeDelays } from "./delays";

const record: EventRecord = {
  schema: z.array(CrimeDelay),
  find: async (ctx, { actor, factionId, subject }) => {
    const member = await findMember(ctx.database, actor.playerId, factionId);
    if (!member) return null;
    const id = Number(subject);
    const asked = { factionId: member.factionId, lowest: id, highest: id, limit: 100, skip: 0 };
    const { delays } = await listCrimeDelays(ctx, asked);
    return delays.map(delayRecord);
  },
};

const crime = {
  tag: "Faction",
  scope: "faction:crimes",
  told: "OCs (delayed, resumed)",
  subject: "organized_crime",
  data: z.object({}),
  example: { subject: "1402311", data: {} },
  href: ({ factionId, subject }) =>
    `/faction/${factionId}/crime/delays?before=${subject}&after=${subject}`,
  record,
} as const satisfies Partial<Parameters<typeof eventType>[0]>;

export const crimeDelayed = eventType({
  ...crime,
  type: "crime.delayed",
  title: "OC delayed",
  description: "An OC is ready and a member delays it. Sent again when another member does.",
  changed: ["user_id", "oc_position", "delay_reason"],
});

export const crimeResumed = eventType({
  ...crime,
  type: "crime.resumed",
  title: "OC resumed",
  description: "No member delays the OC any more.",
  changed: [],
});

export const crimeEvents = [crimeDelayed, crimeResumed];
