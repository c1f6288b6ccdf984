import { newApplicationDraft } from "#app/_lib/draft";
import { form } from "#app/_lib/form";

/** Idempotent. Drafts are dropped, so that the browser's next player does not see them. */
export const POST = form({
  procedure: ({ session }) => session.signOut(),
  draft: newApplicationDraft,
  done: "/",
});
