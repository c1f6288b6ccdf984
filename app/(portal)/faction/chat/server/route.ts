import { z } from "zod";
import { form } from "#app/_lib/form";
import { ServiceUnavailable, TooManyRequests, UnknownChatServer } from "#server/failures";

/** The faction's server or none, and the value that the page showed. */
export const POST = form({
  page: "/faction/chat",
  fields: z.object({
    act: z.literal("clear").optional(),
    server_id: z.string().trim().default(""),
    shown: z.string().optional(),
  }),
  procedure: ({ factionChat }, { act, server_id, shown = null }) =>
    factionChat.nameServer({ serverId: act === "clear" ? null : server_id, shown }),
  done: (outcome, { act }) => {
    if (outcome === "outdated") return "?error=outdated";
    return act === "clear" ? "?done=cleared" : "?done=named";
  },
  refused: ({ field, code }) => {
    if (field === "serverId") return "?error=number";
    if (code === UnknownChatServer.code) return "?error=no-bot";
    if (code === ServiceUnavailable.code) return "?error=silent";
    return code === TooManyRequests.code ? `?error=${code}` : undefined;
  },
});
