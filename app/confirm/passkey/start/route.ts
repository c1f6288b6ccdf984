import { z } from "zod";
import { form } from "#app/_lib/form";

/** The challenge that the page's script hands to the browser. */
export const POST = form({
  fields: z.object({}),
  procedure: ({ passkeys }) => passkeys.beginConfirmation(),
  done: (options) => Response.json(options, { headers: { "cache-control": "no-store" } }),
});
