import { form } from "#app/_lib/form";

export const POST = form({
  page: "/account",
  procedure: ({ account }, sent) => account.removeKey({ keyId: sent.get("key_id") }),
});
