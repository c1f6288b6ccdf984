import { form } from "#app/_lib/form";

/** Idempotent. */
export const POST = form({
  procedure: ({ session }) => session.signOut(),
  done: "/",
});
