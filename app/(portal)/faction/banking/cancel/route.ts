import { z } from "zod";
import { form } from "#app/_lib/form";

/** Not theirs, of no faction of theirs, or over already: there is nothing to be cancelled. */
const gone = [403, 404, 409];

export const POST = form({
  page: "/faction/banking",
  fields: z.object({ faction: z.coerce.number(), request: z.string().default("") }),
  procedure: ({ banking }, { faction: factionId, request }) => banking.cancel({ factionId, request }),
  done: "?done=cancelled",
  refused: ({ status = 0 }) => (gone.includes(status) ? "?error=gone" : undefined),
});
