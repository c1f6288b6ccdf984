import { z } from "zod";
import { form } from "#app/_lib/form";
import { VaultRequestNotPending } from "#server/failures";

/** A late confirmation returns to the page, which shows the state. */
export const POST = form({
  page: ({ guid = "" }) => `/faction/banking/fulfill/${encodeURIComponent(guid)}`,
  fields: z.object({ guid: z.string(), again: z.literal("yes").optional().catch(undefined) }),
  procedure: ({ banking }, { guid, again }) => banking.fulfil({ guid, again: again === "yes" }),
  done: "?done=fulfilled",
  refused: ({ code }) => (code === VaultRequestNotPending.code ? "?done=late" : undefined),
});
