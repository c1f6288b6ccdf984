import { z } from "zod";
import { defineEventType, type SubjectRecordSource } from "#server/event-log/event-type";
import { SpecificUser, specificUserRecord } from "../contract";
import { findPlayer } from "../store";

const record: SubjectRecordSource = {
  schema: SpecificUser,
  find: async (ctx, { subject }) => {
    const player = await findPlayer(ctx.database, Number(subject));
    return player ? specificUserRecord(player) : null;
  },
};

const member = {
  tag: "Faction",
  scope: "faction",
  subject: "user",
  changed: ["faction"],
  told: "members (joined, left)",
  data: z.object({}),
  example: { subject: "2400001", data: {} },
  href: ({ subject }) => `/user/${subject}`,
  record,
} as const satisfies Partial<Parameters<typeof defineEventType>[0]>;

export const memberJoined = defineEventType({
  ...member,
  type: "member.joined",
  title: "Member joined",
  description:
    "A player was seen in the faction who had not been in it. Those of its first listing are not told one by one.",
});

export const memberLeft = defineEventType({
  ...member,
  type: "member.left",
  title: "Member left",
  description: "A player was seen outside of the faction who had been in it.",
});

export const memberEvents = [memberJoined, memberLeft];
