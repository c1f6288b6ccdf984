import { z } from "zod";
import { form } from "#app/_lib/form";

export const POST = form({
  page: "/account",
  fields: z.object({ key_id: z.string() }),
  procedure: ({ account }, { key_id: keyId }) => account.removeKey({ keyId }),
});
