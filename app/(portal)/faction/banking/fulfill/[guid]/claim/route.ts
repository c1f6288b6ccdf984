import { z } from "zod";
import { form } from "#app/_lib/form";
import { VaultRequestNotPending } from "#server/failures";

/** Claims a request, or releases the claim. The page shows the banker that holds it. */
export const POST = form({
  page: ({ guid = "" }) => `/faction/banking/fulfill/${encodeURIComponent(guid)}`,
  fields: z.object({ guid: z.string(), act: z.enum(["claim", "release"]) }),
  procedure: ({ banking }, { guid, act }) => banking[act]({ guid }),
  refused: ({ code }) => (code === VaultRequestNotPending.code ? "?done=late" : undefined),
});
