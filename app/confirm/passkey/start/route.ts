import { form } from "#app/_lib/form";

/** The challenge for the passkey script. */
export const POST = form({
  procedure: ({ passkeys }) => passkeys.beginConfirmation(),
  done: (options) => Response.json(options, { headers: { "cache-control": "no-store" } }),
});
