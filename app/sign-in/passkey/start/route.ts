import { formHandler } from "#app/_lib/form";

export const POST = formHandler({
  token: false,
  procedure: ({ passkeys }) => passkeys.beginSignIn(),
  done: (options) => Response.json(options, { headers: { "cache-control": "no-store" } }),
});
