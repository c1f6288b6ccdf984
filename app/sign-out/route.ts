import { z } from "zod";
import { newApplicationDraft } from "#app/_lib/draft";
import { form } from "#app/_lib/form";

/**
 * Works without a session too. Drafts are deleted, so the next user of the browser does not see
 * them.
 */
export const POST = form({
  fields: z.object({}),
  procedure: ({ session }) => session.signOut(),
  draft: newApplicationDraft,
  done: "/",
});
