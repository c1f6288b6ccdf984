import { formHandler } from "#app/_lib/form";

export const POST = formHandler({
  page: "/account",
  procedure: ({ account }, sent) => account.removeKey({ keyId: sent.get("key_id") }),
});
