import { z } from "zod";
import { form } from "#app/_lib/form";

/** Another player's or faction's request, or a closed one. */
const gone = [403, 404, 409];

export const POST = form({
  page: "/faction/banking",
  fields: z.object({
    faction: z.coerce.number(),
    request: z.string().default(""),
    reason: z.string().trim().optional(),
  }),
  procedure: ({ banking }, { faction: factionId, request, reason }) =>
    banking.cancel({ factionId, request, reason: reason || undefined }),
  done: "?done=cancelled",
  refused: ({ status = 0 }) => (gone.includes(status) ? "?error=gone" : undefined),
});
