import { z } from "zod";
import { form } from "#app/_lib/form";
import { FactionNotLinked, ServiceUnavailable } from "#server/failures";

const inputs = ["faction_id", "channel_id", "role_ids"];

/** The server's side of links: adds, removes or configures a faction. */
export const POST = form({
  page: ({ serverId = "" }) => `/chat-servers/${encodeURIComponent(serverId)}`,
  fields: z.object({
    serverId: z.string(),
    act: z.enum(["list", "unlist", "banking"]),
    faction_id: z
      .string()
      .trim()
      .regex(/^\d{1,9}$/)
      .transform(Number)
      .refine((id) => id > 0),
    channel_id: z.string().nullable().default(null),
    role_id: z.array(z.string()),
    /** Value that the page showed. */
    shown_channel: z.string().nullable().default(null),
    shown_role: z.array(z.string()),
  }),
  procedure: async ({ factionChat }, { act, serverId, faction_id: factionId, ...chosen }) => {
    if (act !== "banking") return factionChat[act]({ serverId, factionId });
    const shown = { channelId: chosen.shown_channel, roleIds: chosen.shown_role };
    return factionChat.banking({
      serverId,
      factionId,
      channelId: chosen.channel_id,
      roleIds: chosen.role_id,
      shown,
    });
  },
  done: (outcome, { act, channel_id }) => {
    if (outcome === "outdated") return "?error=outdated";
    if (act !== "banking") return `?done=${act}ed`;
    return channel_id === null ? "?done=off" : "?done=banking";
  },
  refused: ({ field = "", code }) => {
    if (inputs.includes(field)) return `?error=${field}`;
    if (code === ServiceUnavailable.code) return "?error=silent";
    return code === FactionNotLinked.code ? `?error=${code}` : undefined;
  },
});
