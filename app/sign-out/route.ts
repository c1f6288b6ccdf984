import { z } from "zod";
import { newApplicationDraft } from "#app/_lib/draft";
import { form } from "#app/_lib/form";

/** Somebody who is not signed in any more ends up at the same place. What they typed is not shown to the next one at the browser. */
export const POST = form({
  fields: z.object({}),
  procedure: ({ session }) => session.signOut(),
  draft: newApplicationDraft,
  done: "/",
});
