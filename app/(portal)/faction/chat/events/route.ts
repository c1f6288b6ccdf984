import { z } from "zod";
import { form } from "#app/_lib/form";
import { FactionNotLinked, ServiceUnavailable } from "#server/failures";

const kinds = z.array(z.enum(["hits", "delays"]));

/** Channel and kinds, and the values that the page showed. */
export const POST = form({
  page: "/faction/chat",
  fields: z.object({
    channel_id: z.string().nullable().default(null),
    shown: kinds,
    before_channel: z.string().nullable().default(null),
    before_shown: kinds,
  }),
  procedure: ({ factionChat }, { channel_id, shown, before_channel, before_shown }) =>
    factionChat.setEvents({
      choice: { channelId: channel_id, shown },
      shownBefore: { channelId: before_channel, shown: before_shown },
    }),
  done: (outcome, { channel_id }) => {
    if (outcome === "outdated") return "?error=outdated";
    return channel_id === null ? "?done=events-off" : "?done=events";
  },
  refused: ({ field = "", code }) => {
    if (field === "shown" || field === "channel_id") return `?error=${field}`;
    if (field.endsWith("hannelId")) return "?error=channel_id";
    if (code === ServiceUnavailable.code) return "?error=silent";
    return code === FactionNotLinked.code ? `?error=${code}` : undefined;
  },
});
