import { z } from "zod";
import { form } from "#app/_lib/form";

/** Somebody who is not signed in any more ends up at the same place. */
export const POST = form({
  fields: z.object({}),
  procedure: ({ session }) => session.signOut(),
  done: "/",
});
