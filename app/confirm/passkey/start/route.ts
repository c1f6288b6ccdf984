import { formHandler } from "#app/_lib/form";

export const POST = formHandler({
  procedure: ({ passkeys }) => passkeys.beginConfirmation(),
  done: (options) => Response.json(options, { headers: { "cache-control": "no-store" } }),
});
