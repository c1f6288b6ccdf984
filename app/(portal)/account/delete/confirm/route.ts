import { z } from "zod";
import { newApplicationDraft } from "#app/_lib/draft";
import { form } from "#app/_lib/form";
import { GeneralError } from "#server/failures";

export const POST = form({
  page: "/account/delete",
  fields: z.object({ confirm_name: z.string().default("") }),
  draft: newApplicationDraft,
  procedure: ({ account }, { confirm_name: confirmName }) => account.delete({ confirmName }),
  done: "/account-deleted",
  refused: ({ code }) => (code === GeneralError.code ? "?error=name" : undefined),
});
