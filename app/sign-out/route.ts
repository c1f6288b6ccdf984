import { z } from "zod";
import { newApplicationDraft } from "#app/_lib/draft";
import { form } from "#app/_lib/form";

/** Idempotent. Drafts are dropped, so that the browser's next player does not see them. */
export const POST = form({
  fields: z.object({}),
  procedure: ({ session }) => session.signOut(),
  draft: newApplicationDraft,
  done: "/",
});
