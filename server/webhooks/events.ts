import { z } from "zod";
import { defineEventType } from "#server/event-log/event-type";
import { grantEnded } from "#server/oauth/grants/events";

const Cursor = (words: string) =>
  z.string().meta({ description: words, examples: ["4nM0m1Zp0s8wC6b1n3kTqB5c2dE"] });
const cursor = "4nM0m1Zp0s8wC6b1n3kTqB5c2dE";

/** Sent by webhook only, because readers of the list or stream see gaps themselves. */
export const eventsGap = defineEventType({
  type: "events.gap",
  title: "Events left out",
  description:
    "Too many events waited for this webhook endpoint. They are not sent one by one: read them from `GET /events`, after the cursor `after` up to the cursor `until`.",
  told: "too many events wait for its webhook",
  tag: "Webhooks",
  scope: null,
  subject: "webhook_endpoint",
  changed: [],
  data: z.object({
    after: Cursor("The position behind the last event before the gap."),
    until: Cursor("The position of the last event in the gap."),
  }),
  example: {
    subject: "0198c2f4-6a0e-7cc3-9a51-3f1c7e5a2b10",
    data: { after: cursor, until: cursor },
  },
});

export const alwaysSent: readonly string[] = [grantEnded.type, eventsGap.type];
