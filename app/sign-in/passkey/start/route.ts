import { z } from "zod";
import { form } from "#app/_lib/form";

/** The challenge that the page's script hands to the browser. */
export const POST = form({
  token: false,
  fields: z.object({}),
  procedure: ({ passkeys }) => passkeys.beginSignIn(),
  done: (options) => Response.json(options, { headers: { "cache-control": "no-store" } }),
});
