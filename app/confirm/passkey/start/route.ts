import { z } from "zod";
import { form } from "#app/_lib/form";

/** The challenge for the passkey script. */
export const POST = form({
  fields: z.object({}),
  procedure: ({ passkeys }) => passkeys.beginConfirmation(),
  done: (options) => Response.json(options, { headers: { "cache-control": "no-store" } }),
});
